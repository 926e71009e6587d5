/**
 * What cmd.exe and a batch file make of a command line, as far as arguments are concerned: the variables are replaced, the line is parsed,
 * the batch file puts its arguments into a line of its own (`%*`), which is parsed again, and the program takes its words apart.
 * Throws when a character that cmd.exe acts on stands outside of quotes at one of the parses.
 */
export function runBatchFile(
  cmdArguments: readonly string[],
  env: Readonly<Record<string, string>>,
): { file: string; words: string[] } {
  const switches = cmdArguments.slice(0, -1).map((word) => word.toLowerCase());
  const line = cmdArguments.at(-1) ?? '';
  if (!switches.includes('/s') || !switches.includes('/c'))
    throw new Error('the outer quotes would not be taken off for sure');
  if (!switches.includes('/v:off')) throw new Error('"!" would begin a variable');
  if (!line.startsWith('"') || !line.endsWith('"')) throw new Error('no outer quotes');
  const expanded = expandVariables(line.slice(1, -1), env);
  checkLine(expanded);
  const [file = '', ...rest] = splitAtBlanks(expanded);
  // The batch file: `program %*`. What is put in is not searched for variables again.
  const inner = `program ${rest.join(' ')}`;
  checkLine(inner);
  return { file: file.replaceAll('"', ''), words: programWords(inner).slice(1) };
}

/** `%name%` becomes the value; `%name:~start,%` a part of it; an unknown name stays, as on a command line that is no batch file. */
function expandVariables(line: string, env: Readonly<Record<string, string>>): string {
  let result = '';
  for (let at = 0; at < line.length;) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1;
    const name = end < 0 ? '' : line.slice(at + 1, end);
    const value = end < 0 || name === '' ? undefined : variableValue(name, env);
    if (value === undefined) result += line[at++];
    else {
      result += value;
      at = end + 1;
    }
  }
  return result;
}

function variableValue(name: string, env: Readonly<Record<string, string>>): string | undefined {
  const [, base = name, part] = /^(.*?)(:~,)?$/.exec(name) ?? [];
  const value = base.toLowerCase() === 'cd' ? 'C:\\here' : env[base.toUpperCase()];
  return part === undefined ? value : value === undefined ? undefined : '';
}

/** Quotes toggle; outside of them these characters would act. */
function checkLine(line: string): void {
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && '&|<>^()%!\n\r'.includes(character)) throw new Error(`${character} acts in: ${line}`);
  }
  if (quoted) throw new Error(`a quote is left open in: ${line}`);
}

function splitAtBlanks(line: string): string[] {
  return line.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
}

/** The rules of the Microsoft C run-time library: backslashes before a quote are halved, `""` inside quotes is a quote. */
function programWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    if (slashes > 0 && line[at + slashes] === '"') {
      word = (word ?? '') + '\\'.repeat(Math.floor(slashes / 2)) + (slashes % 2 === 1 ? '"' : '');
      at += slashes % 2 === 1 ? slashes : slashes - 1;
    } else if (line[at] === '"' && quoted && line[at + 1] === '"') {
      word = `${word ?? ''}"`;
      at++;
    } else if (line[at] === '"') {
      quoted = !quoted;
      word ??= '';
    } else if (line[at] === ' ' && !quoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + line[at];
  }
  return word === undefined ? words : [...words, word];
}
