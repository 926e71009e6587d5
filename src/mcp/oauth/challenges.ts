/** One challenge of a `WWW-Authenticate` header (RFC 9110 §11.6.1). Scheme and parameter names are in lower case. */
export interface HttpChallenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = new RegExp(`(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\[^])*)"|([^\\s,"=][^\\s,"]*))`, 'y');
const scheme = new RegExp(`(${TOKEN})(?=\\s|,|$)(?!\\s*=\\s*["!#$%&'*+.^_\`|~0-9A-Za-z-])`, 'y');
const token68 = /[A-Za-z0-9._~+/-]+=*(?=\s*(?:,|$))/y;
const gap = /[\s,]*/y;

/**
 * Takes the header apart: several challenges may stand in it, quoted values may hold commas and quotes. What cannot be read is
 * left out, and the rest still counts.
 */
export function parseChallenges(header: string | undefined): readonly HttpChallenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  const text = header ?? '';
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match ?? undefined;
  };
  take(gap);
  while (at < text.length) {
    const pair = take(parameter);
    const name = pair ? undefined : take(scheme)?.[1];
    if (pair) addParameter(challenges.at(-1)?.parameters, pair);
    else if (name !== undefined) challenges.push({ scheme: name.toLowerCase(), parameters: {} });
    else if (!take(token68)) at++;
    take(gap);
  }
  return challenges;
}

/** The first value counts: a second one of the same name may have been added by somebody on the way. */
function addParameter(
  parameters: Record<string, string> | undefined,
  [, name = '', quoted, plain]: RegExpExecArray,
): void {
  const key = name.toLowerCase();
  if (!parameters || Object.hasOwn(parameters, key)) return;
  parameters[key] = quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\([^])/g, '$1');
}

/** What the challenges say about OAuth (RFC 6750 §3, RFC 9728 §5.1, RFC 9449 §7.1). */
export interface OauthChallenge {
  readonly resourceMetadata?: string;
  readonly scopes?: readonly string[];
  readonly error?: string;
  /** The server takes tokens that are bound to a key. */
  readonly dpop: boolean;
  readonly dpopNonceNeeded: boolean;
}

/** Reads what `Bearer` and `DPoP` challenges ask for. */
export function readOauthChallenge(header: string | undefined): OauthChallenge {
  const ours = parseChallenges(header).filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop');
  const first = (name: string): string | undefined =>
    ours.map(({ parameters }) => parameters[name]).find((value) => value !== undefined);
  const scopes = first('scope')?.split(/\s+/).filter(Boolean);
  return {
    resourceMetadata: first('resource_metadata'),
    ...(scopes && scopes.length > 0 && { scopes }),
    error: first('error'),
    dpop: ours.some(({ scheme }) => scheme === 'dpop'),
    dpopNonceNeeded: ours.some(({ parameters }) => parameters['error'] === 'use_dpop_nonce'),
  };
}
