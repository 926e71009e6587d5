import { withoutSecrets } from './childEnvironment.ts';
import { TransportError } from '../errors.ts';
import type { StdioServerConfig } from '../serverConfig.ts';
import type { ProcessEnd } from './serverProcess.ts';

/** What was heard of a process before its end. */
export interface Traces {
  /** Its last lines on stderr. */
  readonly errorLines: string;
  /** The first line on stdout, where nothing but noise came. */
  readonly noise: string | undefined;
}

/** Says how a server's process ended, with what it said last. */
export function processEndError(config: StdioServerConfig, how: ProcessEnd, traces: Traces): TransportError {
  const name = `${config.name}: the process`;
  if (how.kind === 'too-long') {
    return new TransportError('too-large', `${name} was ended because ${how.error.message}.`, { cause: how.error });
  }
  const noise = traces.noise === undefined ? '' : ` It wrote no JSON-RPC message, only text; first: ${traces.noise}`;
  const errors = traces.errorLines === '' ? '' : ` Its last lines on stderr:\n${traces.errorLines}`;
  const text = `${name} ${explain(how)}${noise}${errors}`;
  return new TransportError('closed', withoutSecrets(text, config.env ?? {}));
}

function explain(how: Exclude<ProcessEnd, { kind: 'too-long' }>): string {
  if (how.kind === 'exit') {
    if (how.signal !== null) return `was ended by ${how.signal}.`;
    return how.code === 0 ? 'has ended (exit code 0).' : `has failed (exit code ${how.code}).`;
  }
  return how.kind === 'mute' ? 'has closed its stdout and was ended.' : 'no longer reads its stdin and was ended.';
}
