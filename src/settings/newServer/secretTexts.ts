/** Which texts of an entry are secrets, and which only stand where one belongs. Pure guesses by name and by look. */

const secretName =
  /(?:^|[-_.\s])(?:pat|pwd|key|auth|jwt)$|token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|credential|authorization|cookie/i;

/** What holds one of these words and yet is none. */
const harmlessName = /(?:_?(?:path|file|dir|url|uri|endpoint|name|type|header|expir\w*|limit|count|max|min))$|tokens$/i;

/** The look of well-known keys and tokens. */
const knownShape =
  /^(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|xapp-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|ntn_\w{20,}|secret_\w{20,}|lin_api_\w{20,}|pk\.[\w.-]{20,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+|hf_\w{20,}|tvly-[\w-]{16,}|figd_[\w-]{16,})$/;

/** What people write in place of a value that everybody has to fill in. */
const placeholder =
  /^(?:<[^<>]*>|\[[^[\]]*\]|\{\{?[^{}$]*\}?\}|%[A-Z_]+%|\.{3,}|…|\*{3,}|x{3,}|(?:sk|ghp|xoxb|pat)[-_](?:\.{3,}|…|x{3,}|\*{3,})|.*\b(?:your|insert|replace|enter|paste|my)[-_ ](?:.*[-_ ])?(?:api|key|token|secret|password|id|url|here|value|access|pat|name|account|org|project|team)\b.*|.*(?:changeme|change_me|_here|-here|here>)\s*)$/i;

/** Whether the value that has this name (a variable, a header, an option) is nobody else's business. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !harmlessName.test(name);
}

/** Whether a text is a key or token by its looks alone. */
export function looksSecret(text: string): boolean {
  return knownShape.test(text);
}

/** A package may be called after anything. */
const scopedPackage = /^@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?$/;

/** Whether a text only says what has to stand in its place. */
export function isPlaceholder(text: string): boolean {
  const trimmed = text.trim();
  if (scopedPackage.test(trimmed)) return false;
  return placeholder.test(trimmed) || /^YOUR[_A-Z0-9]*$/.test(trimmed);
}

/** A header that needs no hiding. Any other one may carry a credential. */
export function isHarmlessHeader(name: string): boolean {
  return (
    /^(?:accept(?:-\w+)?|cache-control|content-type|user-agent|origin|referer|mcp-protocol-version|x-(?:mcp|client|app|org|tenant|project|region|request|toolsets?)[\w-]*)$/i.test(
      name,
    ) && !isSecretName(name)
  );
}
