/**
 * Which scopes to ask for ("Scope Selection Strategy"): what the settings say, else what the refusal names, else all that the
 * server lists, else none at all. Scopes that were asked for before stay; `offline_access` only where the authorization server
 * knows it.
 */
export function chooseScopes(options: {
  readonly configured?: readonly string[];
  readonly challenged?: readonly string[];
  readonly resource?: readonly string[];
  readonly before?: readonly string[];
  readonly authorizationServer?: readonly string[];
  /** A refresh token is wanted. */
  readonly offline: boolean;
}): readonly string[] {
  const { configured, challenged, resource, before = [], authorizationServer = [] } = options;
  const base = configured ?? challenged ?? resource ?? [];
  // A step-up must be able to add what the settings do not name.
  const added = configured && before.length > 0 ? (challenged ?? []) : [];
  const offline = options.offline && authorizationServer.includes('offline_access') ? ['offline_access'] : [];
  return [...new Set([...before, ...base, ...added, ...offline])];
}

/** True when `wanted` has a scope that is not in `asked`. */
export function asksForMore(wanted: readonly string[] | undefined, asked: readonly string[]): boolean {
  return (wanted ?? []).some((scope) => !asked.includes(scope));
}
