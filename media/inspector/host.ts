import type { PageState, ToHost, ToPage } from '../../src/wire/inspectorProtocol.ts';

interface EditorApi {
  postMessage(message: ToHost): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}

declare function acquireVsCodeApi(): EditorApi;

const kinds: ReadonlySet<string> = new Set([
  'start',
  'rows',
  'cleared',
  'session',
  'detail',
  'reveal',
  'said',
] satisfies ToPage['kind'][]);

function isToPage(value: unknown): value is ToPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    kinds.has(value.kind)
  );
}

/** The page's side of the wire to the extension. */
export class Host {
  readonly #api = acquireVsCodeApi();

  /** What the page remembered before it was hidden or reloaded. */
  get state(): PageState {
    return this.#api.getState() ?? {};
  }

  remember(changes: PageState): void {
    this.#api.setState({ ...this.state, ...changes });
  }

  send(message: ToHost): void {
    // It is the editor's own channel, which has no origins.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#api.postMessage(message);
  }

  listen(listener: (message: ToPage) => void): void {
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isToPage(data)) listener(data);
    });
  }
}
