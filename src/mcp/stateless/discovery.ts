import { isRecord, type JsonObject } from '../../base/json.ts';
import { ProtocolError } from '../errors.ts';
import { readImplementation } from '../handshake.ts';
import { SESSION_REVISIONS, STATELESS_REVISION, type Implementation } from '../schema.ts';
import { supportedIn } from './modernError.ts';
import { metaKey } from './requestMeta.ts';

/** What `server/discover` says of a server that speaks our revision. */
export interface Discovery {
  readonly serverInfo: Implementation;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

/**
 * What an answer to `server/discover` proves: a server that speaks this revision, one that asks for the revision that it
 * was offered already (`again`), one that speaks none of ours, or none of the stateless kind (`legacy`).
 */
export type Era =
  | { readonly kind: 'modern'; readonly discovery: Discovery }
  | { readonly kind: 'again' }
  | { readonly kind: 'foreign'; readonly versions: readonly string[] }
  | { readonly kind: 'legacy' };

/** Reads a result. Servers of earlier revisions answer unknown methods in many ways, also with success: only a list of revisions counts. */
export function eraOfResult(result: unknown): Era {
  if (!isRecord(result) || !Array.isArray(result['supportedVersions'])) return { kind: 'legacy' };
  const versions = result['supportedVersions'].filter((version) => typeof version === 'string');
  if (versions.includes(STATELESS_REVISION)) return { kind: 'modern', discovery: readDiscovery(result) };
  return eraOfVersions(versions);
}

/** Reads a failure: only a refusal for the sake of the revision says anything (2026-07-28, "Backward Compatibility"). */
export function eraOfError(error: unknown): Era {
  const versions = supportedIn(error);
  if (versions === undefined) return { kind: 'legacy' };
  return versions.includes(STATELESS_REVISION) ? { kind: 'again' } : eraOfVersions(versions);
}

function eraOfVersions(versions: readonly string[]): Era {
  const known = versions.length === 0 || versions.some((version) => SESSION_REVISIONS.some((own) => own === version));
  return known ? { kind: 'legacy' } : { kind: 'foreign', versions };
}

/** The error for a server with which there is no revision in common. */
export function foreignError(server: string, versions: readonly string[]): ProtocolError {
  const known = [STATELESS_REVISION, ...SESSION_REVISIONS].join(', ');
  const text = `the server speaks protocol version ${versions.join(', ')}; known are ${known}`;
  return new ProtocolError('version', `${server}: ${text}`);
}

function readDiscovery(result: JsonObject): Discovery {
  const { capabilities, instructions, _meta: meta } = result;
  // Drafts of this revision had the server's name beside the capabilities.
  const info = isRecord(meta) && isRecord(meta[metaKey.serverInfo]) ? meta[metaKey.serverInfo] : result['serverInfo'];
  return {
    serverInfo: readImplementation(info),
    capabilities: isRecord(capabilities) ? capabilities : {},
    ...(typeof instructions === 'string' && instructions !== '' && { instructions }),
  };
}
