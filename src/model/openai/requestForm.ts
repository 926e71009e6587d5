/**
 * The form in which an endpoint takes its requests. It begins as most endpoints take it and is narrowed by what an endpoint
 * refuses (see `adaptForm`), so that one refusal is enough for as long as the model is in use.
 */
export interface RequestForm {
  /** Ask for an event stream. */
  readonly stream: boolean;
  /** Ask for token figures at the stream's end (`stream_options`). */
  readonly usage: boolean;
  /** Send images at all. */
  readonly images: boolean;
  /** Images that were refused one by one, by `imageKey`. */
  readonly refusedImages: ReadonlySet<string>;
  /** Send schemas reduced to what the strictest endpoints know, and short descriptions. */
  readonly plainTools: boolean;
  /** Tools that were refused, by the text in which they were offered, and the endpoint's reason. A tool that changes is offered again. */
  readonly refusedTools: ReadonlyMap<string, string>;
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens' | 'none';
  /** Call ids of nine letters and digits. */
  readonly shortIds: boolean;
  /** No two messages of the person in a row. */
  readonly alternating: boolean;
  /** The endpoint knows the role `system`; else its text goes into the first message of the person. */
  readonly systemRole: boolean;
  /** Send back what the model thought before its calls. */
  readonly reasoning: boolean;
  /** Gemini wants its signature on every call; calls of other models get the one that it documents for them. */
  readonly signatures: boolean;
}

/** How most endpoints take a request. */
export const usualForm: RequestForm = {
  stream: true,
  usage: true,
  images: true,
  refusedImages: new Set(),
  plainTools: false,
  refusedTools: new Map(),
  outputLimit: 'max_tokens',
  shortIds: false,
  alternating: false,
  systemRole: true,
  reasoning: false,
  signatures: false,
};

/** Tells one image from another without reading it whole. `data` is Base64. */
export function imageKey(image: { readonly mimeType: string; readonly data: string }): string {
  return `${image.mimeType} ${image.data.length} ${image.data.slice(0, 64)} ${image.data.slice(-64)}`;
}
