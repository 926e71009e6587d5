import { parseUrl } from './url.ts';
import type { HttpRequest } from './httpContract.ts';

/** What to do with a 3xx answer. */
export type RedirectVerdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'follow'; readonly request: HttpRequest }
  | { readonly kind: 'refuse'; readonly reason: string };

const alwaysCredentials = ['authorization', 'cookie', 'proxy-authorization', 'mcp-session-id'];

/**
 * Decides about a redirect (RFC 9110 §15.4). 301, 302, 307 and 308 keep method and body: turning a POST into a GET is only
 * permitted for the first two, and never what an RPC endpoint means. 303 asks for a GET, so it is refused for a POST.
 * Credentials never go to another origin; a step from https to http and targets other than http(s) are refused.
 */
export function judgeRedirect(
  request: HttpRequest,
  { status, location }: { readonly status: number; readonly location: string | undefined },
  credentialHeaders: readonly string[],
): RedirectVerdict {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return { kind: 'none' };
  const target = parseUrl(location, request.url);
  if (!target) return refuse(`to "${clip(location)}", which is no address`);
  const reason = whyRefused(request, target, status);
  if (reason) return refuse(reason);
  const sameOrigin = target.origin === new URL(request.url).origin;
  const headers = sameOrigin ? request.headers : withoutCredentials(request.headers, credentialHeaders);
  target.hash = '';
  return { kind: 'follow', request: { ...request, url: target.href, headers } };
}

function whyRefused({ url, method }: HttpRequest, to: URL, status: number): string | undefined {
  if (to.protocol !== 'http:' && to.protocol !== 'https:') {
    return `to the scheme "${to.protocol}"; only http and https are followed`;
  }
  if (new URL(url).protocol === 'https:' && to.protocol === 'http:') {
    return `from https to http (${to.origin}), which would send everything in the clear`;
  }
  if (status === 303 && method !== 'GET')
    return `with status 303 to ${to.origin}, which asks for a GET instead of a ${method}`;
  return undefined;
}

function withoutCredentials(headers: HttpRequest['headers'], names: readonly string[]): HttpRequest['headers'] {
  const secret = new Set([...alwaysCredentials, ...names.map((name) => name.toLowerCase())]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name.toLowerCase())));
}

function refuse(reason: string): RedirectVerdict {
  return { kind: 'refuse', reason };
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
