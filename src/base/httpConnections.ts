import http from 'node:http';
import https from 'node:https';
import { HttpError } from './httpContract.ts';
import { decodePart } from './url.ts';

/** Kept connections are let go after this many idle milliseconds, before the common servers (Node, uvicorn: 5 s) drop them. */
const IDLE_MS = 4000;
/** Milliseconds of silence before the system probes whether the other side is still there. */
const PROBE_AFTER_MS = 30_000;
/** So many addresses are remembered taken apart. */
const REMEMBERED_TARGETS = 50;

/** An address as node:http wants it, which is much cheaper there than a URL object. */
export interface HttpTarget {
  readonly url: URL;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string | undefined;
  readonly path: string;
  readonly auth: string | undefined;
}

/** The connections of one party: kept alive, shared by its exchanges, ended together. */
export class HttpConnections {
  readonly #ca: string | undefined;
  readonly #targets = new Map<string, HttpTarget>();
  #plain: http.Agent | undefined;
  #secure: https.Agent | undefined;
  #isClosed = false;

  /** `ca`: certificates (PEM) to trust instead of the built-in ones. */
  constructor(options: { ca?: string } = {}) {
    this.#ca = options.ca;
  }

  /** True once they were ended: nothing is sent any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes an address apart, once. Throws a TypeError for what is no address. */
  target(url: string): HttpTarget {
    const known = this.#targets.get(url);
    if (known) return known;
    if (this.#targets.size >= REMEMBERED_TARGETS) this.#targets.clear();
    const target = targetOf(url);
    this.#targets.set(url, target);
    return target;
  }

  /** Starts a request on a kept or a new connection. Throws for a header that cannot be sent, and once they were ended. */
  open(target: HttpTarget, method: string, headers: Readonly<Record<string, string>>): http.ClientRequest {
    if (this.#isClosed) throw new HttpError('unreachable', 'this side has ended its connections', { sent: false });
    const { protocol, hostname, port, path, auth } = target;
    const isSecure = protocol === 'https:';
    const agent = isSecure ? this.#secureAgent() : this.#plainAgent();
    const options = { protocol, hostname, port, path, auth, method, headers, agent };
    return isSecure ? https.request(options) : http.request(options);
  }

  /** Ends every connection, with whatever runs on it. No new one is made. */
  close(): void {
    this.#isClosed = true;
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

function targetOf(written: string): HttpTarget {
  const url = new URL(written);
  const { protocol, hostname, port, username, password } = url;
  return {
    url,
    protocol,
    hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? undefined : port,
    path: exactPath(url, written),
    auth: username === '' ? undefined : `${decodePart(username)}:${decodePart(password)}`,
  };
}

/** Path and query to ask for: the query byte for byte as it was written, where it consists of characters that may stand there. */
function exactPath(url: URL, written: string): string {
  const [whole = ''] = written.split('#', 1);
  const start = whole.indexOf('?');
  const query = start < 0 ? '' : whole.slice(start);
  return url.pathname + (/^[\x21-\x7e]*$/.test(query) ? query : url.search);
}
