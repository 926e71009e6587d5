import type { ServerConfig } from '../mcp/serverConfig.ts';

/** A server that a person wants: what is known of it before it is connected. */
export interface ServerSpec {
  /** Stays the same while settings are edited around it; see `serverIdentity`. */
  readonly identity: string;
  /** The configured name. */
  readonly name: string;
  /** Where it was written: `usrlocal`, `usrremote`, `workspace`, `wf0` … */
  readonly source: string;
  /** Changes exactly when the server has to be restarted. */
  readonly fingerprint: string;
  /** Of its offered tools, `bb7`. */
  readonly prefix: string;
  readonly disabled: boolean;
  /** The person has stopped it: it does not run until they start it. */
  readonly isHalted?: boolean;
  /** Why it must not start now although it is wanted, in words for the person. Absent: it may. */
  readonly held?: string;
  /** The URL or command behind it, for approvals: one that was given to another target does not count. Holds no secrets. */
  readonly target?: string;
  /** The workspace that defines it, for approvals: another one with the same words in it is another server. Absent: the person's own. */
  readonly place?: string;
  /** Which of its tools are offered. Absent: all. */
  readonly allows?: (toolName: string) => boolean;
  /** Fills in variables and answers. Rejects with an Error whose message names what is missing. */
  readonly resolve: (signal: AbortSignal) => Promise<ServerConfig>;
}

/** False for a server that is switched off, stopped by the person or held back. */
export function mayRun(spec: ServerSpec): boolean {
  return !spec.disabled && spec.isHalted !== true && spec.held === undefined;
}
