/** What is said about a paste, a link or a file: texts with places for what they speak of, so that an editor can translate them. */
export const pasteTexts = {
  empty: 'Paste a URL, a command line, the name of a package, or JSON.',
  notUrl: 'This is not the address of a server: {0}',
  noServer: 'There is no server in it.',
  entry: '{0}: {1}',
  brokenJson: 'This JSON is broken at character {0}, near "{1}".',
  autoApprove: '"{0}" names tools that run without a question. That is not taken over: you are asked here.',
  commandInput: 'The value of "{0}" would come from a command of the editor. You are asked for it instead.',
  shell: 'No shell reads a command here, so "{0}" means nothing. Paste one program with its arguments.',
  noProgram: 'The command line names no program.',
  addNoObject: 'What should be added is no JSON object. Mind the quotes around it.',
  addNothing: 'The command adds no server: it needs a name and a URL or a program.',
  linkTooLong: 'The link is longer than {0} characters.',
  linkPercent: 'The link is broken: a "%" in it is followed by no two digits.',
  linkEmpty: 'The link names no server: it needs "url", "command" or "config".',
  linkNoName: 'The "name" in the link is empty.',
  linkBoth: 'The link has both "url" and "command"; a server has one of them.',
  linkNoJson: 'The server in the link is no JSON: {0}',
  linkNoObject: 'The server in the link must be a JSON object.',
  fileLine: 'Line {0} is no valid JSON.',
  fileYaml: 'It is no valid YAML: {0}',
  fileRefused: 'It cannot be read: {0}',
} as const;

/** One of the texts, with what stands in its places. */
export interface Told {
  readonly text: keyof typeof pasteTexts;
  readonly args: readonly string[];
}

/** A problem: nothing can be made of what was given. */
export interface PasteProblem extends Told {
  readonly kind: 'problem';
}

export function told(text: Told['text'], ...args: readonly (string | number)[]): Told {
  return { text, args: args.map(String) };
}

export function problem(text: Told['text'], ...args: readonly (string | number)[]): PasteProblem {
  return { kind: 'problem', ...told(text, ...args) };
}

/** In English, for who has no translation. */
export function englishOf({ text, args }: Told): string {
  return pasteTexts[text].replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
}
