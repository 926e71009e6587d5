import { secrecyOfField, secrecyOfName, secrecyOfQuery, type Secrecy } from './secretNames.ts';

/** Gives the mark of a value that is a secret or a session's id. */
export type MarkOf = (value: string, secrecy: Exclude<Secrecy, 'plain'>) => string;

/** A text without any of these words holds nothing that the patterns below look for. */
const hint =
  /token|secret|passw|passphrase|pwd|api[-_ ]?key|authoriz|cookie|credential|private[-_ ]key|access[-_ ]?key|verifier|assertion|session|bearer |basic |dpop|[?&][\w.-]+=|:\/\/[^\s/"'@]*@|\bsk-|\bpk-|gh[pousr]_|github_pat|glpat-|xox[abeprs]-|AKIA|AIza|\bnpm_|hf_|eyJ/i;

/** Credentials that are known by their form alone. */
const formats =
  /\b(?:[sr]k[-_](?:[A-Za-z]+[-_])*[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g;

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const scheme = /\b(Bearer|Basic|DPoP|Digest)(\s+|%20|\+)([A-Za-z0-9._~+/=-]{6,})/gi;
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/)([^\s/"'<>@\\?#]+)@/gi;
const queryField = /([?&](?:amp;)?)([\w.~-]{1,64})=([^&\s"'<>\\#)\]}]+)/g;
/** `NAME=value` and `--name value`, as environments and command lines have them. */
const assignment =
  /((?:\b|--?)[\w-]*(?:token|secret|passw|passphrase|pwd|api[-_]?key|credential|private[-_]?key|access[-_]?key)[\w-]*)(\s*=\s*|\s+(?=[^\s-])(?<=--?[\w-]+\s+))("[^"]*"|'[^']*'|[^\s"'&;,)]+)/gi;
/** `Name: value`, as header lines and logs have it. */
const headerLine =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|[\w-]*api-?key|[\w-]*auth-token|mcp-session-id)(\s*:\s*)(?!\[)([^\r\n"'{}]{3,}?)(?=\s*(?:$|[\r\n"'}]|\\n|\\r|\\"))/gim;
/** The end of a member's name, the colon and the opening quote; JSON inside JSON has its quotes escaped. */
const member = /([\w.\- ]{1,80})(\\*)"(\s*:\s*)(\\*)"/g;

/** Hides the secrets that a text shows by its own form: members, fields, schemes, user info, known formats of keys. */
export function redactText(text: string, markOf: MarkOf): string {
  if (!hint.test(text)) return text;
  return [hideMembers, hideFormats, hideAddresses, hideLines].reduce((result, hide) => hide(result, markOf), text);
}

/** Hides the values of a form body (`application/x-www-form-urlencoded`). */
export function redactForm(text: string, markOf: MarkOf): string {
  return text.replace(/(^|&)([^=&]+)=([^&]*)/g, (whole, before: string, name: string, value: string) => {
    const secrecy = secrecyOfField(name);
    return secrecy === 'plain' || value === '' ? whole : `${before}${name}=${markOf(value, secrecy)}`;
  });
}

function hideFormats(text: string, markOf: MarkOf): string {
  return text
    .replace(privateKey, (key) => markOf(key, 'secret'))
    .replace(scheme, (_, name: string, gap: string, value: string) => `${name}${gap}${markOf(value, 'secret')}`)
    .replace(formats, (key) => markOf(key, 'secret'));
}

function hideAddresses(text: string, markOf: MarkOf): string {
  return text
    .replace(userInfo, (_, before: string, user: string) => `${before}${markOf(user, 'secret')}@`)
    .replace(queryField, (whole, before: string, name: string, value: string) => {
      const secrecy = secrecyOfQuery(name, value);
      return secrecy === 'plain' || value.startsWith('[') ? whole : `${before}${name}=${markOf(value, secrecy)}`;
    });
}

function hideLines(text: string, markOf: MarkOf): string {
  const hide = (whole: string, name: string, gap: string, value: string): string => {
    const secrecy = secrecyOfName(name);
    if (secrecy === 'plain' || value.includes('[redacted') || value.startsWith('[session')) return whole;
    return `${name}${gap}${markOf(value, secrecy)}`;
  };
  return text.replace(headerLine, hide).replace(assignment, hide);
}

/** Hides string values of members with telling names. Numbers and objects stay: a numeric `code` is no secret. */
function hideMembers(text: string, markOf: MarkOf): string {
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(member)) {
    const [whole, name = '', nameSlashes, , valueSlashes = ''] = match;
    if (nameSlashes !== valueSlashes) continue;
    const secrecy = secrecyOfName(name);
    const start = match.index + whole.length;
    if (secrecy === 'plain' || start < from) continue;
    const end = endOfString(text, start, valueSlashes.length);
    const value = text.slice(start, end);
    if (value === '' || value.startsWith('[redacted ') || value.startsWith('[session')) continue;
    pieces.push(text.slice(from, start), markOf(value, secrecy));
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.length === 1 ? text : pieces.join('');
}

/** Where the string that begins at `start` ends: at the quote that is escaped as its opening one, or less. */
function endOfString(text: string, start: number, slashes: number): number {
  const cycle = (slashes + 1) * 2;
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = 0;
    while (quote - before > start && text[quote - before - 1] === '\\') before += 1;
    if (before % cycle === slashes || before < slashes) return quote - Math.min(before, slashes);
  }
  return text.length;
}
