import { parseJson } from '../../base/json.ts';
import type { Tap, TapSource } from '../../base/tap.ts';

/** What the wire record should know of a model request. */
export interface RequestFacts {
  readonly source: TapSource;
  readonly model: string;
  /** Tokens. */
  readonly maxInputTokens: number;
  readonly turn: string | undefined;
  readonly step: number | undefined;
  /** The JSON text that is sent. */
  readonly body: string;
}

/** A tap that passes every fact on, and tells of the model request as soon as its exchange has left. Costs a parse of the body. */
export function requestTap(tap: Tap, facts: RequestFacts): Tap {
  const { source, model, maxInputTokens, turn = '', step = 0, body: text } = facts;
  return (fact) => {
    tap(fact);
    if (fact.kind !== 'http-request' || fact.redirectOf !== undefined) return;
    const parsed = parseJson(text);
    const body = parsed.ok ? parsed.value : {};
    const bytes = Buffer.byteLength(text);
    const { exchange } = fact;
    tap({ ...source, kind: 'model-request', turn, step, model, logical: false, exchange, maxInputTokens, body, bytes });
  };
}
