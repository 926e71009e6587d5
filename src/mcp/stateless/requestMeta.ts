import { isRecord, type JsonObject } from '../../base/json.ts';
import { STATELESS_REVISION, type Implementation } from '../schema.ts';

/** Names in `_meta` that the protocol keeps for itself (2026-07-28, "_meta"). */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The name of the extension for tasks, as capabilities declare it. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What stands in `_meta` of every request, in place of a handshake. */
export function requestMeta(clientInfo: Implementation, capabilities: JsonObject): JsonObject {
  return {
    [metaKey.protocolVersion]: STATELESS_REVISION,
    [metaKey.clientInfo]: clientInfo,
    [metaKey.clientCapabilities]: statelessCapabilities(capabilities),
  };
}

/** What of our capabilities has a meaning here, and the extensions that we know. */
function statelessCapabilities(capabilities: JsonObject): JsonObject {
  const { roots, sampling, elicitation, experimental, extensions } = capabilities;
  return {
    ...(isRecord(roots) && { roots: {} }),
    ...(isRecord(sampling) && { sampling }),
    ...(isRecord(elicitation) && { elicitation }),
    ...(isRecord(experimental) && { experimental }),
    extensions: { [TASKS_EXTENSION]: {}, ...(isRecord(extensions) && extensions) },
  };
}

/** `params` with `meta` in its `_meta`; what the caller has put there stays, under the protocol's own names. */
export function withMeta(params: unknown, meta: JsonObject): JsonObject {
  const members = isRecord(params) ? params : {};
  const own = isRecord(members['_meta']) ? members['_meta'] : {};
  return { ...members, _meta: { ...own, ...meta } };
}
