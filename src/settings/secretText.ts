/** Recognises credentials that somebody wrote into settings in clear text, by the name that they stand under and by their shape. */

const secretWord =
  /(?:^|[_.-])(?:tokens?|secrets?|passw(?:or)?d|passphrase|pwd|pat|credentials?|authorization|cookie|bearer|jwt|dsn)(?:$|[_.-])|api[-_]?key|access[-_]?key|private[-_]?key|secret[-_]?key|(?:^|[_-])key$/i;
/** Names that hold one of these words and hold no secret. */
const harmless =
  /(?:^|[_-])(?:public|primary|foreign|sort|cache|partition)[-_]?key$|(?:file|path|url|uri|endpoint|name|type|limit|count|expir\w*|ttl|budget|max|min)$|^(?:max|min|num)[-_]/i;

/** Shapes that only credentials have, from the documents of those who issue them. */
const shapes =
  /(?:^|[\s:='"])(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,}|AKIA[0-9A-Z]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|npm_\w{30,}|pypi-[\w-]{16,}|hf_\w{20,}|dckr_pat_[\w-]{16,}|lin_api_\w{16,}|ntn_\w{20,}|secret_\w{30,}|figd_[\w-]{16,}|sbp_\w{20,}|pk_live_\w{10,}|[rs]k_(?:live|test)_\w{10,}|SG\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/;

/** True for the name of a variable, field or query parameter under which credentials stand. */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return secretWord.test(words) && !harmless.test(words);
}

/** True for a text with the shape of a credential. */
export function looksSecret(text: string): boolean {
  return shapes.test(text) || /^(?:Bearer|Basic|Token|ApiKey)\s+[^\s$]{8,}$/i.test(text.trim());
}

/** A command line or an address without the credentials in it, for places where it is kept: user info, query, `--token x`, shapes of tokens. */
export function maskSecrets(text: string): string {
  const hidden = '•••';
  return text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi, `$1${hidden}@`)
    .replaceAll(/([?&]([^=&#\s]+)=)([^&#\s]+)/g, (whole, head: string, name: string, value: string) =>
      isSecretName(name) && !value.includes('${') ? head + hidden : whole,
    )
    .replaceAll(/((?:^|\s)--?([\w.-]+)[=\s])([^\s-]\S*)/g, (whole, head: string, name: string, value: string) =>
      isSecretName(name) && !value.includes('${') ? head + hidden : whole,
    )
    .split(/(?<=[\s='"])|(?=[\s])/)
    .map((word) => (looksSecret(word) ? hidden : word))
    .join('');
}
