import { messageOf } from '../base/caught.ts';
import type { Disposable } from '../base/disposables.ts';
import { Emitter } from '../base/emitter.ts';
import type { Note } from './transport.ts';

/** A notification as the server sent it. */
export interface ServerNotification {
  readonly method: string;
  readonly params: unknown;
}

/** What a client tells: notifications of the server, warnings, and its end, which comes once. A listener's fault stays here. */
export class ClientEvents {
  readonly #note: Note;
  readonly #onNotification = new Emitter<{ method: string; params: unknown }>();
  readonly #onWarn = new Emitter<string>();
  readonly #onClose = new Emitter<Error | undefined>();
  readonly #earlyWarnings: string[] = [];
  #ended = false;

  constructor(note: Note) {
    this.#note = note;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  onNotification(listener: (notification: { method: string; params: unknown }) => void): Disposable {
    return this.#onNotification.event(listener);
  }

  /** What was to be told before anybody listened is told to the first listener. */
  onWarn(listener: (text: string) => void): Disposable {
    for (const text of this.#earlyWarnings.splice(0)) listener(text);
    return this.#onWarn.event(listener);
  }

  onClose(listener: (error?: Error) => void): Disposable {
    return this.#onClose.event(listener);
  }

  notify(notification: ServerNotification): void {
    this.#guard(() => this.#onNotification.fire(notification));
  }

  warn(text: string): void {
    if (this.#onWarn.hasListeners) this.#guard(() => this.#onWarn.fire(text));
    else this.#earlyWarnings.push(text);
  }

  /** False when the end was told before. */
  end(error: Error | undefined): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#guard(() => this.#onClose.fire(error));
    return true;
  }

  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#note('error', `a listener failed: ${messageOf(error)}`);
    }
  }
}
