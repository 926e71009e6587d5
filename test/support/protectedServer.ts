import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/base/json.ts';
import type { OauthOptions, OauthStore } from '../../src/mcp/oauth/oauthOptions.ts';
import type { ScriptedAuthorizationServer } from './authorizationServer.ts';
import type { RecordedRequest } from './httpServer.ts';
import { methodOf, startSseServer, type SseServer } from './sseServer.ts';
import { startStreamableServer, type StreamableScript, type StreamableServer } from './streamableServer.ts';

/** How the server is guarded. */
export interface Protection {
  /** Who gives the tokens that count. */
  readonly by: () => ScriptedAuthorizationServer;
  /** Merged into the metadata; null for none at all. */
  readonly metadata?: JsonObject | null;
  /** Path of the metadata. Default: the well-known one with the server's path. */
  readonly metadataPath?: string;
  /** `WWW-Authenticate` of a 401, undefined for none. Default: names the metadata. */
  readonly challenge?: (origin: string) => string | undefined;
  /** The scope that a JSON-RPC method needs besides a token. */
  readonly scopeFor?: (method: string) => string | undefined;
  readonly script?: StreamableScript;
}

/** The address in tests is `/mcp`. */
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';
/** Where the metadata of the HTTP+SSE address stand (RFC 9728 §3.1). */
export const SSE_METADATA_PATH = '/.well-known/oauth-protected-resource/sse';

/** Answers for want of a token, or with the metadata; false leaves the request to the server. */
function guard(protection: Protection, request: RecordedRequest, response: ServerResponse, origin: string): boolean {
  const { by, metadata, metadataPath = METADATA_PATH } = protection;
  if (request.url.startsWith('/.well-known/')) {
    if (metadata === null || request.url !== metadataPath) response.writeHead(404).end();
    else {
      const path = metadataPath === SSE_METADATA_PATH ? '/sse' : '/mcp';
      const body = { resource: `${origin}${path}`, authorization_servers: [by().origin], ...metadata };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    }
    return true;
  }
  const scopes = by().tokens.get(String(request.headers['authorization']).replace(/^Bearer /, ''));
  const challenge = protection.challenge ?? ((at: string) => `Bearer resource_metadata="${at}${metadataPath}"`);
  if (!scopes) {
    const header = challenge(origin);
    response.writeHead(401, header === undefined ? {} : { 'WWW-Authenticate': header }).end('{"error":"who are you"}');
    return true;
  }
  const needed = protection.scopeFor?.(String(methodOf(request)));
  if (needed === undefined || scopes.includes(needed)) return false;
  const text = `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${origin}${metadataPath}"`;
  response.writeHead(403, { 'WWW-Authenticate': text }).end();
  return true;
}

/** A scripted MCP server at `/mcp` that asks for a token of the authorization server. */
export function startProtectedServer(protection: Protection): Promise<StreamableServer> {
  return startStreamableServer({
    ...protection.script,
    intercept: (request, response, server) =>
      guard(protection, request, response, server.origin) ||
      protection.script?.intercept?.(request, response, server) === true,
  });
}

/** The same over HTTP+SSE. */
export function startProtectedSseServer(protection: Protection): Promise<SseServer> {
  return startSseServer({
    intercept: (request, response) => guard(protection, request, response, `http://${request.headers.host}`),
  });
}

/** Kept in memory, and counted. */
export class MemoryStore implements OauthStore {
  readonly kept = new Map<string, string>();

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.kept.get(key));
  }

  set(key: string, value: string): Promise<void> {
    return Promise.resolve(void this.kept.set(key, value));
  }

  delete(key: string): Promise<void> {
    return Promise.resolve(void this.kept.delete(key));
  }
}

/** Options with a person who signs in at once; `opened` has the addresses that the browser was sent to. */
export function personSigningIn(url: string, more: Partial<OauthOptions> = {}): OauthOptions & { opened: string[] } {
  const opened: string[] = [];
  return {
    server: 'users',
    url,
    store: new MemoryStore(),
    interactive: true,
    openBrowser: async (address) => {
      opened.push(address);
      const response = await fetch(address);
      await response.text();
    },
    ...more,
    opened,
  };
}
