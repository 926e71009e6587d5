import { secrecyOfField, secrecyOfName, secrecyOfQuery, type Secrecy } from './secretNames.ts';

/** Gives the mark of a value that is a secret or a session's id. */
export type MarkOf = (value: string, secrecy: Exclude<Secrecy, 'plain'>) => string;

// Each pattern starts with few possible letters and minds the case: engines then skip through a megabyte in less than a millisecond.

/** Credentials that are known by their form alone. */
const formats =
  /(?<![A-Za-z0-9])(?:[sr]k[-_](?:[A-Za-z]+[-_])*[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g;

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** What follows a scheme's name, unless it is a word of prose or a parameter of a challenge. */
const scheme =
  /\b(Bearer|Basic|DPoP|Digest|bearer|basic)(\s+|%20|\+)(?![\w-]+=["\w])(?=[^\s"',;]*(?:\d|_|[a-z][A-Z]|[A-Z]{5})|[^\s"',;]{20})([A-Za-z0-9._~+/=-]{6,})/g;
const userInfo = /(:\/\/)([^\s/"'<>@\\?#]+)@/g;
const queryField = /([?&](?:amp;)?)([\w.~-]{1,64})=([^&\s"'<>\\#)\]}]+)/g;

/** Words in names of secrets, as names are written: lower case, capitalised, upper case. */
const word =
  /[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Pp]ass(?:w|phrase)|PASS(?:W|PHRASE)|[Pp]wd|PWD|[Aa]pi[-_ ]?[Kk]ey|API[-_ ]?KEY|[Aa]uthoriz|AUTHORIZ|[Cc]ookie|COOKIE|[Cc]redential|CREDENTIAL|[Pp]rivate[-_ ]?[Kk]ey|PRIVATE_?KEY|[Aa]ccess[-_ ]?[Kk]ey|ACCESS_?KEY|[Vv]erifier|[Aa]ssertion|[Ss]ession|SESSION/g;

/** After the word: the rest of a member's name, colon, opening quote. Inside another JSON string the quotes are escaped. */
const member = /([\w.\- ]{0,40}?)(\\*)"\s*:\s*(\\*)"/y;
/** After the word: `NAME=value`, `--name value`, `Name: value`, as environments, command lines and header lines have them. */
const assignment =
  /([\w-]{0,40})(\s*=\s*|\s*:[ \t]+|[ \t]+)(?:\\*"([^"\\]+)|'([^']+)'|([^\s"'&;,)\]}<>\\[{][^\r\n"'&;,)\]}<>\\]*))/y;
const beforeName = /[\w.\- ]/;

interface Found {
  readonly start: number;
  readonly end: number;
  readonly secrecy: Exclude<Secrecy, 'plain'>;
}

/** Hides the secrets that a text shows by its own form: members, fields, schemes, user info, known formats of keys. */
export function redactText(text: string, markOf: MarkOf): string {
  return hideAddresses(hideFormats(hideNamed(text, markOf), markOf), markOf);
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

/** Hides what stands under a telling name. Numbers and objects stay: a numeric `code` is no secret. */
function hideNamed(text: string, markOf: MarkOf): string {
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(word)) {
    if (match.index < from) continue;
    const after = match.index + match[0].length;
    const found = asMember(text, match.index, after) ?? asAssignment(text, match.index, after);
    if (!found || isMarked(text, found)) continue;
    pieces.push(text.slice(from, found.start), markOf(text.slice(found.start, found.end), found.secrecy));
    from = found.end;
  }
  if (pieces.length === 0) return text;
  pieces.push(text.slice(from));
  return pieces.join('');
}

function isMarked(text: string, { start, end }: Found): boolean {
  return start >= end || text.startsWith('[redacted ', start) || text.startsWith('[session', start);
}

function asMember(text: string, at: number, after: number): Found | undefined {
  member.lastIndex = after;
  const [whole, rest = '', nameSlashes, valueSlashes = ''] = member.exec(text) ?? [];
  if (whole === undefined || nameSlashes !== valueSlashes) return undefined;
  const secrecy = secrecyOfName(nameBefore(text, at) + text.slice(at, after) + rest);
  const start = after + whole.length;
  return secrecy === 'plain' ? undefined : { start, end: endOfString(text, start, valueSlashes.length), secrecy };
}

function asAssignment(text: string, at: number, after: number): Found | undefined {
  assignment.lastIndex = after;
  const match = assignment.exec(text);
  if (!match) return undefined;
  const [whole, rest = '', gap = '', double, single, bare = ''] = match;
  const name = nameBefore(text, at).split(' ').at(-1) + text.slice(at, after) + rest;
  const secrecy = secrecyOfName(name);
  if (secrecy === 'plain' || !isAssigned(name, gap)) return undefined;
  const value = double ?? single ?? firstValue(name, gap, bare);
  const start = after + whole.length - (double ?? single ?? bare).length - (single === undefined ? 0 : 1);
  return { start, end: start + value.length, secrecy };
}

/** Prose says "the token is": only a flag takes its value after a blank, and only a header's name after a colon. */
function isAssigned(name: string, gap: string): boolean {
  if (gap.includes('=')) return true;
  if (gap.includes(':')) return /^(?:[\w-]*authorization|(?:set-)?cookie|[\w-]*key|[\w-]*[-_]\w+|x-\w+)$/i.test(name);
  return name.startsWith('-');
}

/** A header's value goes to the end of its line, every other one to the next blank. */
function firstValue(name: string, gap: string, bare: string): string {
  const wholeLine = gap.includes(':') && /authorization|cookie/i.test(name);
  return wholeLine ? bare.trimEnd() : (/^\S*/.exec(bare)?.[0] ?? bare);
}

function nameBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < 40 && beforeName.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, at);
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
