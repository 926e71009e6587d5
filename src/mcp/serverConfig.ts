/** How to reach one server: plain values, nothing left to resolve. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

/** A server that is a child process speaking newline-delimited JSON on stdin and stdout. */
export interface StdioServerConfig {
  readonly kind: 'stdio';
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the inherited environment; null removes a variable. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  /** Stands in for our own environment as what the process inherits. Absent: our own, completed by the login shell's PATH. */
  readonly inheritedEnv?: Readonly<Record<string, string | undefined>>;
  /** Bounds each request and the whole of the connect, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
}

/** A server behind a URL: `sse` is HTTP+SSE (2024-11-05), `http` Streamable HTTP, `auto` finds out. */
export interface HttpServerConfig {
  readonly kind: 'sse' | 'http' | 'auto';
  readonly name: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the settings say about sign-in; members that are not known are kept. */
  readonly oauth?: Readonly<Record<string, unknown>>;
  /** Certificates (PEM) to trust besides the system's. */
  readonly ca?: readonly string[];
  /** Bounds each request and the whole of the connect, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
}
