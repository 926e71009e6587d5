import type { Field } from './field.ts';
import { readPairs, readScalar } from './fieldValues.ts';

/** Headers that the protocol sets itself, request by request. */
const OWN_HEADERS = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
]);

/** What is wrong with a header's name (RFC 9110 §5.6.2, a token), or undefined. */
function headerNameFault(name: string): string | undefined {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) ? undefined : `"${name}" cannot be the name of a header.`;
}

/** What is wrong with a header's value (RFC 9110 §5.5), or undefined. The value itself is not repeated: it may be a secret. */
export function headerValueFault(value: string): string | undefined {
  if (/[\r\n]/.test(value)) return 'The header value holds a line break.';
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(value)) return 'The header value holds a control character.';
  // oxlint-disable-next-line no-control-regex
  if (/[^\x00-\xff]/.test(value)) {
    return 'The header value holds characters outside Latin-1, which HTTP headers cannot carry; percent-encode it if the server decodes that.';
  }
  return undefined;
}

/** `headers`: names and values; null leaves a header out. */
export function readHeaders(field: Field | undefined): Record<string, string> {
  const headers = new Map<string, [string, string]>();
  for (const [name, value] of readPairs(field, ':')) {
    const report = field?.report.at(name);
    if (!report) break;
    const fault = headerNameFault(name);
    if (fault !== undefined) report.error(fault);
    const text = value === null ? undefined : readScalar(value, report, 'The value of a header');
    if (text === undefined) continue;
    const valueFault = headerValueFault(text);
    if (valueFault !== undefined) report.error(valueFault);
    const key = name.toLowerCase();
    if (OWN_HEADERS.has(key)) {
      report.hint(`"${name}" is set by the protocol and is not taken from the settings.`);
      continue;
    }
    if (headers.has(key)) report.warn(`"${name}" is given twice (case does not count); the last one is sent.`);
    headers.set(key, [name, text]);
  }
  return Object.fromEntries(headers.values());
}
