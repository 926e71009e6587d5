/** Runs a slow program and says how it is getting on. */
import { spawn } from 'node:child_process';

/** A program to run to its end. */
export interface ProgramRun {
  /** What it is, for the person who waits. */
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly shell?: boolean;
  readonly say: (text: string) => void;
}

/** How often a person hears that it is still running, in ms. */
const heartbeatMs = 10_000;

/** Says the title, then the seconds now and then; throws with the last lines of output when the exit code is not 0. */
export async function runProgram(run: ProgramRun): Promise<void> {
  const started = Date.now();
  const seconds = (): string => `${Math.round((Date.now() - started) / 1000)} s`;
  run.say(`${run.title} …`);
  const heartbeat = setInterval(() => run.say(`${run.title} … ${seconds()}`), heartbeatMs);
  try {
    await finished(run);
  } finally {
    clearInterval(heartbeat);
  }
  run.say(`${run.title}: done in ${seconds()}`);
}

function finished(run: ProgramRun): Promise<void> {
  const child = spawn(run.program, run.args, {
    cwd: run.cwd,
    env: { ...process.env, ...run.env },
    shell: run.shell ?? false,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (text: string): void => {
    output = (output + text).slice(-4000);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`${run.program} did not start: ${error.message}`, { cause: error })),
    );
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${run.program} ${run.args[0] ?? ''} ended with code ${code}:\n${output.trim()}`));
    });
  });
}
