type Environment = Readonly<Record<string, string | undefined>>;

/** What the editor sets for its own processes; in a child it would make programs behave as parts of the editor. */
const EDITORS_OWN = /^(VSCODE_|ELECTRON_)/i;

/**
 * The environment of a server's process: what is inherited, without what is the editor's own and without shell functions, then `env`,
 * in which null removes. On Windows names have no case.
 */
export function childEnvironment(
  inherited: Environment,
  env: Readonly<Record<string, string | null>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const result = new Map<string, [string, string]>();
  const key = platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name;
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !EDITORS_OWN.test(name) && !value.startsWith('()')) result.set(key(name), [name, value]);
  }
  for (const [name, value] of Object.entries(env)) {
    if (value === null) result.delete(key(name));
    else result.set(key(name), [name, value]);
  }
  return Object.fromEntries(result.values());
}

/** `text` without the values of variables whose names say that they are secret; for texts that a person will see. */
export function withoutSecrets(text: string, env: Readonly<Record<string, string | null>>): string {
  let result = text;
  for (const [name, value] of Object.entries(env)) {
    const secret = /key|token|secret|passw|pwd|auth|cred|cookie/i.test(name);
    if (secret && value !== null && value.length >= 6) result = result.replaceAll(value, '•••');
  }
  return result;
}
