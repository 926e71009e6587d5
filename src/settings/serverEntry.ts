import type { JsonObject } from '../base/json.ts';
import type { NameFilter } from './namePattern.ts';

/** Where an entry was written: `usrlocal`, `usrremote`, `workspace` (a .code-workspace file), `wf0`, `wf1` … (folder i). */
export type SettingsSource = string;

/** One entry of `mcp.servers`, checked and brought into one spelling. Its strings may still hold variables. */
export interface ServerEntry {
  readonly name: string;
  readonly source: SettingsSource;
  /** The entry's place, for messages: `mcp.servers.foo`. */
  readonly path: string;
  /** The entry's place below the setting, one step an element. */
  readonly segments: readonly (string | number)[];
  readonly launch: Launch;
  /** Added to the environment of a process, null removes; what `${env:…}` of this entry sees first. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile?: string;
  /** Bounds each request, in milliseconds; at most 30 minutes. Absent: the default of 60,000. */
  readonly timeoutMs?: number;
  /** The prefix of its offered tools, where the person chose one. */
  readonly prefix?: string;
  readonly disabled: boolean;
  /** Which of its tools are offered. Absent: all. */
  readonly tools?: NameFilter;
  /** Which of its tools run without asking. Absent: none. */
  readonly autoApprove?: NameFilter;
}

/** How a server is reached, with its variables still in it. */
export type Launch = StdioLaunch | HttpLaunch;

/** A server that is a program. */
export interface StdioLaunch {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
}

/** A server behind a URL. */
export interface HttpLaunch {
  readonly kind: 'sse' | 'http' | 'auto';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OauthSettings;
  /** Certificates to trust besides the system's: paths of PEM files, or PEM text itself. */
  readonly ca?: readonly string[];
}

/** The `oauth` object of an entry. What we check is named; other members are kept as written. */
export interface OauthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  readonly [member: string]: JsonObject[string];
}
