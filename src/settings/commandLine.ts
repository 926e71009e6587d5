/** Programs that people write together with their arguments: `/usr/bin/node server.js`. */
const RUNNERS =
  /^(node|npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|tsx|python[\d.]*|py|pip|pipx|uv|uvx|docker|podman|java|dotnet|ruby|php|perl|go|cargo|bash|sh|zsh|cmd|powershell|pwsh|wsl)(\.exe|\.cmd|\.bat)?$/i;

/** A path with blanks that ends in a program's extension, and what follows it. */
const WITH_EXTENSION = /^(.*?\.(?:exe|cmd|bat|com|sh|ps1))\s+(\S.*)$/i;

/**
 * Takes a command apart that was written with its arguments in one string. Undefined when the string is the name of one program:
 * a path may hold blanks (`C:\Program Files\x y\run.cmd`), so a path is only split where what it starts with is known to be a program.
 */
export function splitCommand(command: string): { command: string; args: string[] } | undefined {
  if (!/\s/.test(command.trim())) return undefined;
  if (!/^["']/.test(command)) {
    const [, program, rest] = WITH_EXTENSION.exec(command) ?? [];
    if (program !== undefined && rest !== undefined) return { command: program, args: splitWords(rest) };
  }
  const [first = '', ...args] = splitWords(command);
  const base = first.split(/[\\/]/).at(-1) ?? '';
  const isPath = base !== first;
  if (isPath && !/^["']/.test(command) && !RUNNERS.test(base)) return undefined;
  return { command: first, args };
}

/** Splits at blanks as a shell would, minding quotes. A backslash only escapes a quote or a blank, so that Windows paths survive. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:"(?:\\"|[^"])*"|'[^']*'|\\["'\s]|\S)+/g)) {
    words.push(word.replaceAll(/"((?:\\"|[^"])*)"|'([^']*)'|\\(["'\s])/g, unquote));
  }
  return words;
}

function unquote(_whole: string, double?: string, single?: string, escaped?: string): string {
  return double?.replaceAll('\\"', '"') ?? single ?? escaped ?? '';
}
