import { asString, isRecord, type JsonObject } from '../../base/json.ts';

/** An error that an endpoint reports, in the body of a refusal or within a stream. The message is the provider's own. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
  /** An HTTP status, where the error carries one. */
  readonly status: number | undefined;
  /** The provider's own code, type and parameter, in lower case; empty where there is none. */
  readonly providerCode: string;

  constructor(message: string, options: { status?: number; providerCode?: string } = {}) {
    super(message);
    this.status = options.status;
    this.providerCode = options.providerCode ?? '';
  }
}

/** Finds the error in a JSON value that an endpoint sent, in any of the usual shapes; undefined where it is none. */
export function faultIn(value: unknown): AnswerFault | undefined {
  if (Array.isArray(value)) return value.length === 1 ? faultIn(value[0]) : undefined;
  if (!isRecord(value)) return undefined;
  const error = value['error'];
  if (typeof error === 'string' && error.trim() !== '') return toFault(value, error);
  if (isRecord(error) && Object.keys(error).length > 0) return toFault(error, messageOf(error));
  if (Array.isArray(value['errors']) && !('choices' in value)) return faultIn({ error: value['errors'][0] });
  return faultWithoutError(value);
}

/** The error that stands in the first choice, as gateways tell that the endpoint behind them failed. */
export function faultInChoice({ choices }: JsonObject): AnswerFault | undefined {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isRecord(choice) ? faultIn({ error: choice['error'] }) : undefined;
}

/** Errors that stand at the top: `{object:"error", message}`, `{detail}`, `{message, code}`. */
function faultWithoutError(value: JsonObject): AnswerFault | undefined {
  const message = messageOf(value);
  if (message === '' || 'choices' in value) return undefined;
  const isError =
    value['object'] === 'error' ||
    value['type'] === 'error' ||
    'detail' in value ||
    'code' in value ||
    'status' in value;
  return isError || Object.keys(value).length === 1 ? toFault(value, message) : undefined;
}

function toFault(fields: JsonObject, message: string): AnswerFault {
  const numbers = [fields['code'], fields['status'], fields['status_code'], fields['http_code']].map(Number);
  const status = numbers.find((number) => Number.isInteger(number) && number >= 400 && number < 600);
  const words = [fields['code'], fields['type'], fields['status'], fields['param']].filter(
    (word) => typeof word === 'string',
  );
  return new AnswerFault(message === '' ? 'an error without a message' : message, {
    ...(status !== undefined && { status }),
    providerCode: words.join(' ').toLowerCase(),
  });
}

function messageOf(fields: JsonObject): string {
  const own = textOf(fields['message']) || textOf(fields['msg']) || textOf(fields['detail']) || textOf(fields['error']);
  const metadata = fields['metadata'];
  const raw = isRecord(metadata) ? textOf(metadata['raw']) : '';
  return raw === '' || own.includes(raw) ? own : `${own}: ${raw}`;
}

/** The text of a message; validators send a list of objects instead, each with `loc` and `msg`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((text) => text !== '')
      .join('; ');
  if (!isRecord(value)) return '';
  const place = Array.isArray(value['loc']) ? `${value['loc'].join('.')}: ` : '';
  const text = asString(value['msg']) ?? asString(value['message']) ?? '';
  return text === '' ? '' : place + text;
}
