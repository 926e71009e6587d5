/** Finds a model endpoint that answers: the one of the environment, else Ollama on this machine. */
import { isRecord } from '../../src/base/json.ts';

/** An OpenAI-compatible endpoint for the demo, from the environment. */
export interface ModelEndpoint {
  readonly name: string;
  /** The base address, to which `/chat/completions` is appended. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `OPENAI_BASE_URL` and `OPENAI_API_KEY` (either), with `OPENAI_MODEL` to choose; then Ollama at `OLLAMA_HOST` or its
 * usual address. `undefined` when none lists a model within 3 s. Throws when the environment names one that fails.
 */
export async function findModelEndpoint(env: Environment): Promise<ModelEndpoint | undefined> {
  const apiKey = text(env['OPENAI_API_KEY']);
  const wanted = text(env['OPENAI_MODEL']);
  const base = text(env['OPENAI_BASE_URL']) ?? (apiKey === undefined ? undefined : 'https://api.openai.com/v1');
  if (base !== undefined) {
    const model = wanted ?? chatModel(await listModels(base, apiKey));
    if (model === undefined) throw new Error(`${base} lists no model: set OPENAI_MODEL`);
    return { name: new URL(base).host, url: base, model, ...(apiKey !== undefined && { apiKey }) };
  }
  const ollama = ollamaUrl(env);
  try {
    const model = wanted ?? chatModel(await listModels(ollama));
    return model === undefined ? undefined : { name: 'Ollama', url: ollama, model };
  } catch (error) {
    if (text(env['OLLAMA_HOST']) !== undefined) throw error;
    return undefined;
  }
}

function ollamaUrl(env: Environment): string {
  const host = text(env['OLLAMA_HOST']) ?? '127.0.0.1:11434';
  const address = new URL(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (address.port === '' && address.protocol === 'http:') address.port = '11434';
  return new URL('/v1', address).href;
}

/** The model ids that `GET /models` gives. Throws with the status or the cause. */
async function listModels(base: string, apiKey?: string): Promise<string[]> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const url = `${base.replace(/\/$/, '')}/models`;
  let answer: unknown;
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(3000) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    answer = await response.json();
  } catch (error) {
    throw new Error(`The model endpoint ${url} did not answer: ${String(error)}`, { cause: error });
  }
  const data = isRecord(answer) && Array.isArray(answer['data']) ? answer['data'] : [];
  return data.flatMap((entry: unknown) => (isRecord(entry) && typeof entry['id'] === 'string' ? [entry['id']] : []));
}

/** The first that is likely to hold a conversation. */
function chatModel(ids: readonly string[]): string | undefined {
  return ids.find((id) => !/embed|whisper|tts|dall-e|moderation|image|audio|realtime|rerank/i.test(id));
}

function text(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}
