import http from 'node:http';
import https from 'node:https';

/** Kept connections are let go after this many idle milliseconds, before the common servers (Node, uvicorn: 5 s) drop them. */
const IDLE_MS = 4000;
/** Milliseconds of silence before the system probes whether the other side is still there. */
const PROBE_AFTER_MS = 30_000;

/** The connections of one party: kept alive, shared by its exchanges, ended together. */
export class HttpConnections {
  readonly #ca: string | undefined;
  #plain: http.Agent | undefined;
  #secure: https.Agent | undefined;

  /** `ca`: certificates (PEM) to trust instead of the built-in ones. */
  constructor(options: { ca?: string } = {}) {
    this.#ca = options.ca;
  }

  /** Starts a request on a kept or a new connection. */
  open(url: URL, options: http.RequestOptions): http.ClientRequest {
    if (url.protocol === 'https:') return https.request(url, { ...options, agent: this.#secureAgent() });
    return http.request(url, { ...options, agent: this.#plainAgent() });
  }

  /** Ends every connection, with whatever runs on it. */
  close(): void {
    this.#plain?.destroy();
    this.#secure?.destroy();
  }

  #plainAgent(): http.Agent {
    return (this.#plain ??= new http.Agent({ keepAlive: true, keepAliveMsecs: PROBE_AFTER_MS, timeout: IDLE_MS }));
  }

  #secureAgent(): https.Agent {
    const options = { keepAlive: true, keepAliveMsecs: PROBE_AFTER_MS, timeout: IDLE_MS };
    return (this.#secure ??= new https.Agent(this.#ca === undefined ? options : { ...options, ca: this.#ca }));
  }
}
