import { Emitter, type Event } from '../base/emitter.ts';
import { HttpConnections } from '../base/httpConnections.ts';
import { httpSendOn } from '../base/httpExchange.ts';
import type { HttpExchange, HttpListener, HttpOptions, HttpRequest, HttpSend } from '../base/httpExchange.ts';
import { EventStreamDecoder, type EventStreamListener, type ServerSentEvent } from '../base/sse.ts';
import type { Authorization } from './authorization.ts';
import { AuthorizedExchange } from './authorizedExchange.ts';
import type { HttpServerConfig } from './serverConfig.ts';
import { addressOfServer } from './serverAddress.ts';
import { SharedChallenge } from './sharedChallenge.ts';
import { trustedCertificates } from './trustedCertificates.ts';
import type { TransportContext, TransportListener } from './transport.ts';

/** So many decoders are kept for further streams. */
const KEPT_DECODERS = 64;

/** Sign-in, certificates and name of this side. */
export interface HttpWireOptions {
  readonly authorization?: Authorization;
  /** Certificates (PEM) to trust instead of the built-in ones. */
  readonly ca?: string;
  /** Name and version for the User-Agent header. */
  readonly userAgent?: string;
}

/** Everything about one server behind a URL that its transports share: connections, configured headers, sign-in, the tap. */
export class HttpWire {
  readonly context: TransportContext;
  /** The configured address, without a user name. */
  readonly url: string;
  readonly #origin: string;
  readonly #configured: Readonly<Record<string, string>>;
  readonly #connections: HttpConnections;
  readonly #send: HttpSend;
  readonly #options: HttpOptions;
  readonly #challenge: SharedChallenge | undefined;
  readonly #onHold = new Emitter<boolean>();
  /** Decoders whose stream has ended, for the next ones. */
  readonly #decoders: EventStreamDecoder[] = [];

  /** Told true while a person signs in, false afterwards. */
  readonly onHold: Event<boolean> = this.#onHold.event;

  /** Throws a TransportError for a URL that is none. */
  constructor(config: HttpServerConfig, context: TransportContext, options: HttpWireOptions = {}) {
    this.context = context;
    const { url, headers } = addressOfServer(config);
    this.url = url;
    this.#origin = new URL(url).origin;
    this.#configured = { 'User-Agent': options.userAgent ?? 'mcp-agent', ...headers };
    const ca = options.ca ?? (config.ca && trustedCertificates(config.ca));
    this.#connections = new HttpConnections(ca === undefined ? {} : { ca });
    this.#send = httpSendOn(this.#connections);
    this.#options = { tap: context.tap, source: context.source, credentialHeaders: Object.keys(headers) };
    this.#challenge =
      options.authorization && new SharedChallenge(options.authorization, (on) => this.#onHold.fire(on));
  }

  /** The configured headers, where `url` is on the configured origin, under those of the protocol. */
  headersFor(url: string, protocol: Readonly<Record<string, string>>): Record<string, string> {
    const taken = new Set(Object.keys(protocol).map((name) => name.toLowerCase()));
    const sameOrigin = new URL(url).origin === this.#origin;
    const own = Object.entries(this.#configured).filter(
      ([name]) => !taken.has(name.toLowerCase()) && (sameOrigin || name === 'User-Agent'),
    );
    return { ...protocol, ...Object.fromEntries(own) };
  }

  exchange(request: HttpRequest, listener: HttpListener): HttpExchange {
    if (!this.#challenge) return this.#send(request, listener, this.#options);
    return new AuthorizedExchange(request, listener, this.#challenge, (authorized, inner) =>
      this.#send(authorized, inner, this.#options),
    );
  }

  tellEvent(exchange: number, event: ServerSentEvent): void {
    const { tap, source } = this.context;
    tap?.({ ...source, kind: 'sse-event', exchange, ...event, bytes: Buffer.byteLength(event.data) });
  }

  /** A decoder, new or used, that remembers the rest when there is somebody to tell it to. */
  newDecoder(listener: EventStreamListener): EventStreamDecoder {
    const used = this.#decoders.pop();
    used?.reset(listener);
    if (used) return used;
    return new EventStreamDecoder(listener, undefined, { keepRest: this.context.tap !== undefined });
  }

  /** An event stream has ended: what was left in it is told, and nothing else becomes of it. The decoder is given back. */
  tellRest(exchange: number, decoder: EventStreamDecoder): void {
    const data = decoder.end();
    decoder.reset();
    if (this.#decoders.length < KEPT_DECODERS) this.#decoders.push(decoder);
    if (data === '') return;
    const { tap, source } = this.context;
    tap?.({ ...source, kind: 'sse-event', exchange, data, bytes: Buffer.byteLength(data), incomplete: true });
  }

  tellMessage(direction: 'in' | 'out', message: unknown, text: string, exchange: number | undefined): void {
    const { tap, source } = this.context;
    tap?.({ ...source, kind: 'message', direction, message, bytes: Buffer.byteLength(text), exchange });
  }

  tellBody(exchange: number, text: string, bytes: number): void {
    const { tap, source } = this.context;
    tap?.({ ...source, kind: 'http-body', exchange, text, bytes });
  }

  /** A remark for the server's log, at level debug. */
  note(text: string): void {
    this.context.note('debug', text);
  }

  /** Lets a transport's listener know when time stands still. */
  holdFor(listener: TransportListener): void {
    this.onHold((held) => listener.onHold?.(held));
  }

  /** Ends every connection. */
  close(): void {
    this.#onHold.dispose();
    this.#connections.close();
  }
}
