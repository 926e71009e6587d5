import { isRecord } from '../../base/json.ts';

/** What this revision has in place of some requests of the earlier ones. */
export interface Replacements {
  setLogLevel(level: string): void;
  subscribe(uri: string): void;
  unsubscribe(uri: string): void;
  /** Asks the server anything at all. */
  reach(): Promise<unknown>;
}

/**
 * Carries out a request that this revision has no more in the way that it has instead (2026-07-28, changelog); undefined for
 * every other request. So whoever uses a client need not know its revision.
 */
export function replacedRequest(method: string, params: unknown, by: Replacements): Promise<unknown> | undefined {
  const { level, uri } = isRecord(params) ? params : {};
  switch (method) {
    case 'ping':
      return by.reach().then(() => ({}));
    case 'logging/setLevel':
      if (typeof level === 'string') by.setLogLevel(level);
      return Promise.resolve({});
    case 'resources/subscribe':
      if (typeof uri === 'string') by.subscribe(uri);
      return Promise.resolve({});
    case 'resources/unsubscribe':
      if (typeof uri === 'string') by.unsubscribe(uri);
      return Promise.resolve({});
    default:
      return undefined;
  }
}

/** Notices of ours that this revision has no more, or that only the transport may send. */
export function isReplacedNotice(method: string): boolean {
  return (
    method === 'notifications/roots/list_changed' ||
    method === 'notifications/initialized' ||
    method === 'notifications/progress'
  );
}
