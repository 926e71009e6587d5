import { ProtocolError, TransportError } from '../mcp/errors.ts';
import type { ServerConfig } from '../mcp/serverConfig.ts';

/** Whether another attempt is made by itself, and how eagerly. */
export type Retry = 'soon' | 'seldom' | 'never';

const firstMs = 1000;
const ceilingMs = 30_000;
const slowFirstMs = 60_000;
const slowCeilingMs = 600_000;
const leastMs = 50;

/**
 * How long to wait before the next attempt, in milliseconds: exponential with full jitter up to 30 seconds, without giving up.
 * Failures that another attempt seldom cures (refused credentials, certificate, a command that cannot be started, no common revision)
 * are tried again after one minute, growing to ten, since a person may mend them outside of the editor.
 * A `Retry-After` of the server is the least.
 * @param failures failures in a row, from 1
 * @param random from 0 up to 1
 * @param isSeldom whether another attempt seldom helps, whatever the error is
 */
export function retryDelay(error: unknown, failures: number, random: number, isSeldom = false): number {
  const [first, ceiling, fixedShare] =
    isSeldom || isStubborn(error) ? [slowFirstMs, slowCeilingMs, 0.5] : [firstMs, ceilingMs, 0];
  const bound = Math.min(ceiling, first * 2 ** Math.min(failures - 1, 16));
  const jittered = bound * (fixedShare + (1 - fixedShare) * random);
  const asked = error instanceof TransportError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(leastMs, jittered, Math.min(asked, slowCeilingMs));
}

/** Whether another attempt seldom cures this failure. */
export function isStubborn(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === 'version';
  return (
    error instanceof TransportError && ['unauthorized', 'forbidden', 'certificate', 'process'].includes(error.code)
  );
}

/**
 * What a person has to fill in is not asked for again and again: settings, a restart or a call try next. A process that ends at its start would
 * do so again, and each attempt costs much.
 */
export function retryAfterStart(config: ServerConfig | undefined): Retry {
  if (!config) return 'never';
  return config.kind === 'stdio' ? 'seldom' : 'soon';
}
