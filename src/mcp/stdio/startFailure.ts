import { existsSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { messageOf } from '../../base/caught.ts';
import { TransportError } from '../errors.ts';

/** What to install for a program that is often named in server entries. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^(node|npx|npm)$/, 'Install Node.js from https://nodejs.org'],
  [/^(pnpm|pnpx)$/, 'Install pnpm from https://pnpm.io'],
  [/^yarn$/, 'Install Yarn from https://yarnpkg.com'],
  [/^(bun|bunx)$/, 'Install Bun from https://bun.sh'],
  [/^deno$/, 'Install Deno from https://deno.com'],
  [/^(uv|uvx)$/, 'Install uv from https://docs.astral.sh/uv'],
  [/^(python[\d.]*|py|pip[\d.]*)$/, 'Install Python from https://www.python.org'],
  [/^pipx$/, 'Install pipx from https://pipx.pypa.io'],
  [/^docker$/, 'Install Docker from https://docs.docker.com/get-docker'],
  [/^podman$/, 'Install Podman from https://podman.io'],
  [/^(dotnet|dnx)$/, 'Install .NET from https://dotnet.microsoft.com'],
  [/^(java|jbang)$/, 'Install a Java runtime, for example from https://adoptium.net'],
  [/^go$/, 'Install Go from https://go.dev'],
  [/^(cargo|rustc)$/, 'Install Rust from https://rustup.rs'],
  [/^(ruby|gem|bundle)$/, 'Install Ruby from https://www.ruby-lang.org'],
];

/** What was to be started. */
export interface Start {
  readonly server: string;
  readonly command: string;
  readonly cwd: string | undefined;
}

/** Throws where the working folder is none, because the system would blame the command. */
export function checkFolder({ server, cwd }: Start): void {
  if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  const state = existsSync(cwd) ? 'is not a folder' : 'does not exist';
  throw new TransportError('process', `${server}: cannot start, its working folder ${cwd} ${state}. Check "cwd".`);
}

/** Says why a program could not be started, and what to do. */
export function startFailure(start: Start, cause: unknown): TransportError {
  return new TransportError('process', `${start.server}: cannot start, ${explain(start, cause)}`, {
    cause,
  });
}

function explain(start: Start, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const { command } = start;
  if (code === 'ENOENT') return explainMissing(start);
  if (code === 'EACCES' || code === 'EPERM') {
    return `"${command}" may not be executed. Give it the right to run (chmod +x), or name the program that runs it, such as node or python.`;
  }
  if (code === 'ENOEXEC' || code === 'EFTYPE' || code === 'UNKNOWN') {
    return `"${command}" is no program that this system can run. Name the program that runs it, such as node or python.`;
  }
  if (code === 'E2BIG' || code === 'ENAMETOOLONG') return `the arguments and environment of "${command}" are too long.`;
  return `"${command}": ${messageOf(cause)}`;
}

function explainMissing({ command, cwd }: Start): string {
  if (/[\\/]/.test(command)) {
    const path = isAbsolute(command) ? command : resolve(cwd ?? process.cwd(), command);
    if (existsSync(path))
      return `the program that the first line of ${path} names was not found. Install it, or name it as "command".`;
    return `the file ${path} does not exist. Check "command"${isAbsolute(command) ? '' : ' and "cwd"'}.`;
  }
  const name = command.toLowerCase().replace(/\.(exe|cmd|bat)$/, '');
  const advice = PROGRAMS.find(([pattern]) => pattern.test(name))?.[1];
  const install = advice === undefined ? 'Install it' : advice;
  return `the program "${command}" was not found on PATH. ${install}, or give its full path as "command".`;
}
