import type { Report } from './problem.ts';
import { textsOf } from './entryTexts.ts';
import type { ServerEntry } from './serverEntry.ts';

const NAMES =
  '(?:workspaceFolder(?::[^}\\])]+)?|workspaceFolderBasename|userHome|pathSeparator|(?:env|input|config):[^}\\])]+)';

/** A variable without its dollar sign, in the wrong brackets or in none. */
const SLIP = new RegExp(
  `(?<!\\$)\\{\\{?${NAMES}\\}|\\$\\(${NAMES}\\)|\\$\\[${NAMES}\\]|\\$(?:workspaceFolder|userHome)\\b`,
);

/** What a shell would expand at the start of an argument; no shell reads ours. */
const SHELL = /^(?:~(?=[\\/])|\$([A-Z_][A-Z0-9_]*)(?=[\\/]|$))/;

/** Tells once an entry of a placeholder that is passed on as it is, because it is not written as a variable. */
export function reportSlips(entry: ServerEntry, report: Report): void {
  for (const { text, place } of textsOf(entry)) {
    const slip = SLIP.exec(text)?.[0];
    const shell = slip === undefined && place[0] === 'args' ? SHELL.exec(text) : null;
    if (slip === undefined && !shell) continue;
    const written = slip ?? shell?.[0] ?? '';
    const meant = slip === undefined ? shellMeaning(shell?.[1]) : `\${${slip.replaceAll(/^[${([]+|[})\]]+$/g, '')}}`;
    const whole = text.replace(written, () => meant);
    return report.at(...place).warn(`"${written}" is passed as it is. If the variable is meant, write "${meant}".`, {
      kind: 'replace',
      value: whole,
      was: text,
    });
  }
}

function shellMeaning(variable: string | undefined): string {
  return variable === undefined ? '${userHome}' : `\${env:${variable}}`;
}
