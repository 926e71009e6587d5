import { decodePart } from '../../base/url.ts';

/** An endpoint as messages and requests need it. */
export interface Endpoint {
  /** The configured name, or the host. */
  readonly name: string;
  /** Name and address for messages, without anything secret. */
  readonly label: string;
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where an endpoint is and how to show who we are. */
export interface EndpointOptions {
  readonly name?: string;
  readonly url: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An endpoint as requests and messages need it; its name defaults to its host. */
export function endpointOf(options: EndpointOptions): Endpoint {
  const shown = shownAddress(options.url);
  const name = options.name ?? hostOf(options.url);
  const apiKey = options.apiKey?.trim();
  return {
    name,
    label: shown === name ? name : `${name} (${shown})`,
    url: options.url,
    apiKey: apiKey === '' ? undefined : apiKey,
    headers: options.headers ?? {},
  };
}

/** Appends `/chat/completions` or `/models` to the base address; its query (Azure's `api-version`) stays. Throws `TypeError` where that is no address of the web. */
export function addressOf(endpoint: Endpoint, path: 'chat/completions' | 'models'): string {
  const url = new URL(endpoint.url.trim());
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is not the web`);
  const base = url.pathname.replace(/\/(chat\/completions|models)?\/*$/, '');
  url.pathname = `${base}/${path}`;
  return url.href;
}

/** The headers of a request. Configured headers win over ours, whatever their case. */
export function headersOf(endpoint: Endpoint, own: Readonly<Record<string, string>>): Record<string, string> {
  const given = new Set(Object.keys(endpoint.headers).map((name) => name.toLowerCase()));
  const ours = Object.entries({ ...own, ...keyHeader(endpoint) });
  return { ...Object.fromEntries(ours.filter(([name]) => !given.has(name))), ...endpoint.headers };
}

/** The names of headers that may carry secrets, for redirects. */
export function credentialHeaders(endpoint: Endpoint): readonly string[] {
  return ['api-key', ...Object.keys(endpoint.headers)];
}

/** Takes the key, the values of configured headers and what the address may hide out of a text, should an endpoint have quoted them, also in part. */
export function withoutSecrets(text: string, endpoint: Endpoint): string {
  const values = Object.values(endpoint.headers).flatMap((value) => [value, value.replace(/^\w+\s+/, '')]);
  const all = [endpoint.apiKey ?? '', ...values, ...secretsOfAddress(endpoint.url)];
  const secrets = all.filter((secret) => secret.length >= 6);
  const cleaned = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return cleaned.replace(/\bsk-[\w*.-]{4,}/g, '…').replace(/[\w-]{2,}\*{3,}[\w-]*/g, '…');
}

/** User info and the values of the query, as they are written and as they are meant. */
function secretsOfAddress(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, search } = new URL(url);
  const fields = search
    .slice(1)
    .split('&')
    .filter((field) => !field.startsWith('api-version='));
  const values = fields.map((field) => field.slice(field.indexOf('=') + 1));
  return [username, password, ...values].flatMap((value) => [value, decodePart(value)]);
}

/** Azure takes keys in a header of its own. */
function keyHeader(endpoint: Endpoint): Record<string, string> {
  if (endpoint.apiKey === undefined) return {};
  return /(^|\.)azure\.com(:\d+)?$/.test(hostOf(endpoint.url))
    ? { 'api-key': endpoint.apiKey }
    : { authorization: `Bearer ${endpoint.apiKey}` };
}

function hostOf(url: string): string {
  return (URL.canParse(url) && new URL(url).host) || url;
}

function shownAddress(url: string): string {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
