import type { ChatModel } from '../model/chatModel.ts';
import { ModelError, type ModelErrorCode } from '../model/modelError.ts';

/** Where a person can put right what a model failed with. */
export type ModelRemedy = 'key' | 'set-up' | 'other-model' | 'new-chat';

/** By the code of the error; what only needs another try has no remedy. */
const remedies: Readonly<Partial<Record<ModelErrorCode, readonly ModelRemedy[]>>> = {
  unauthorized: ['key', 'other-model'],
  unreachable: ['set-up', 'other-model'],
  'not-found': ['other-model', 'set-up'],
  'no-tools': ['other-model', 'set-up'],
  'rate-limit': ['other-model'],
  empty: ['other-model'],
  timeout: ['other-model'],
  'too-large': ['new-chat', 'other-model'],
};

/** What helps against an error of a model. */
export function remediesFor(code: ModelErrorCode): readonly ModelRemedy[] {
  return remedies[code] ?? [];
}

/** A model that remembers what it failed with last. */
export interface HelpedModel extends ChatModel {
  readonly lastError: ModelError | undefined;
}

/** The same model, with its errors noted on their way. */
export function remembering(model: ChatModel): HelpedModel {
  const { id, label, maxInputTokens, imageInput, maxTools, recordsRequests } = model;
  let lastError: ModelError | undefined;
  return {
    id,
    label,
    maxInputTokens,
    imageInput,
    ...(maxTools !== undefined && { maxTools }),
    ...(recordsRequests !== undefined && { recordsRequests }),
    get lastError() {
      return lastError;
    },
    async *stream(request) {
      lastError = undefined;
      try {
        yield* model.stream(request);
      } catch (error) {
        if (error instanceof ModelError) lastError = error;
        throw error;
      }
    },
  };
}
