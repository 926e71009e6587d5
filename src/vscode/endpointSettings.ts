/** The value of `mcpAgent.endpoints` → endpoints and problems. Pure. */

import { isRecord, type JsonObject } from '../base/json.ts';

/** A model that the settings name, so that it needs no asking. */
export interface ConfiguredModel {
  readonly id: string;
  readonly name?: string;
  /** Tokens. */
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  readonly imageInput?: boolean;
}

/** An entry of `mcpAgent.endpoints`. */
export interface Endpoint {
  readonly name: string;
  /** The base, without a slash at its end: `/chat/completions` and `/models` are appended. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  readonly imageInput?: boolean;
  /** Without them the endpoint is asked for its models. */
  readonly models?: readonly ConfiguredModel[];
}

/** What is wrong with a setting, and where. */
export interface SettingProblem {
  readonly path: string;
  readonly message: string;
}

/** Words that a caller passes in, so that this file needs no editor. */
export interface EndpointWords {
  readonly noList: string;
  readonly noObject: string;
  readonly noName: string;
  readonly noUrl: string;
  readonly secondName: (name: string) => string;
  readonly noModel: string;
}

/** Reads every entry; a bad one is a problem and the others work. */
export function parseEndpoints(
  value: unknown,
  words: EndpointWords,
): { endpoints: Endpoint[]; problems: SettingProblem[] } {
  const endpoints: Endpoint[] = [];
  const problems: SettingProblem[] = [];
  if (value === undefined || value === null) return { endpoints, problems };
  if (!Array.isArray(value)) return { endpoints, problems: [{ path: 'mcpAgent.endpoints', message: words.noList }] };
  value.forEach((entry: unknown, index) => {
    const path = `mcpAgent.endpoints[${index}]`;
    const report: Report = (message, member = '') => {
      problems.push({ path: path + member, message });
    };
    const endpoint = parseEndpoint(entry, words, report);
    if (endpoint === undefined) return;
    if (endpoints.some((each) => each.name === endpoint.name)) report(words.secondName(endpoint.name), '.name');
    else endpoints.push(endpoint);
  });
  return { endpoints, problems };
}

/** Notes a problem; returns undefined, so that a parser can end with it. */
type Report = (message: string, member?: string) => undefined;

function parseEndpoint(entry: unknown, words: EndpointWords, report: Report): Endpoint | undefined {
  if (!isRecord(entry)) return report(words.noObject);
  const { name, url, headers, models } = entry;
  if (typeof name !== 'string' || name.trim() === '') return report(words.noName, '.name');
  if (typeof url !== 'string' || !isHttpUrl(url)) return report(words.noUrl, '.url');
  return {
    name: name.trim(),
    url: url.replace(/\/+$/, ''),
    headers: stringsOf(headers),
    ...limitsOf(entry),
    ...(Array.isArray(models) && models.length > 0 && { models: parseModels(models, words, report) }),
  };
}

function parseModels(models: readonly unknown[], words: EndpointWords, report: Report): ConfiguredModel[] {
  return models.flatMap((model, index): ConfiguredModel[] => {
    if (typeof model === 'string' && model !== '') return [{ id: model }];
    if (!isRecord(model) || typeof model['id'] !== 'string' || model['id'] === '') {
      report(words.noModel, `.models[${index}]`);
      return [];
    }
    const name = model['name'];
    return [{ id: model['id'], ...(typeof name === 'string' && name !== '' && { name }), ...limitsOf(model) }];
  });
}

function limitsOf(entry: JsonObject): Pick<ConfiguredModel, 'maxInputTokens' | 'maxOutputTokens' | 'imageInput'> {
  const { maxInputTokens, maxOutputTokens, imageInput } = entry;
  return {
    ...(isCount(maxInputTokens) && { maxInputTokens }),
    ...(isCount(maxOutputTokens) && { maxOutputTokens }),
    ...(typeof imageInput === 'boolean' && { imageInput }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function stringsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
