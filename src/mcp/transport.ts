import type { Tap, TapSource } from '../base/tap.ts';
import type { JsonRpcMessage, RequestId } from './jsonrpc.ts';

/** Says something for the log that is no message. `warning` is also told to the person who uses the client. */
export type Note = (level: 'debug' | 'info' | 'warning' | 'error', text: string) => void;

/** What a transport is built with besides its own settings. `server` is the configured name, for error texts. */
export interface TransportContext {
  readonly server: string;
  readonly source: TapSource;
  readonly tap?: Tap;
  readonly note: Note;
}

/** Told by a transport from `start` on. */
export interface TransportListener {
  /** One JSON value as it came, parsed but not checked; an array is a batch. */
  onMessage(message: unknown): void;
  /** The wire is gone for good. Told at most once, and never after `close()`. */
  onClose(error: Error): void;
  /** A new handshake is due on this same transport. `answersLost`: what is pending will not be answered any more. */
  onSessionLost?(error: Error, answersLost: boolean): void;
  /** True while a person signs in: time limits stand still. */
  onHold?(held: boolean): void;
}

/** What {@link Transport.send} may give for a message that was accepted at once, to spare a promise for each. */
export const ACCEPTED: Promise<void> = Promise.resolve();

/** One wire to one server; what a peer speaks through. It tells the tap every message in and out. */
export interface Transport {
  readonly kind: 'sse' | 'http' | 'stdio';
  /** Opens the wire and resolves when messages can be sent. Called once. Rejects with a TransportError or ProtocolError. */
  start(listener: TransportListener): Promise<void>;
  /** Resolves when the message was accepted; rejects when it was refused, or when its answer can no longer come this way. */
  send(message: JsonRpcMessage): Promise<void>;
  /** The answer to this request is no longer wanted: frees what waits for it. Says nothing to the server by itself. */
  abandon(id: RequestId): void;
  /** The server has answered `initialize` with this revision. */
  agreed?(protocolVersion: string): void;
  /** The handshake is complete. */
  ready?(): void;
  /** Ends the wire in the orderly way of its kind. May be called again, and before or while `start` runs, which then rejects. */
  close(): Promise<void>;
}
