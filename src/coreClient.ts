/** What `dist/core.mjs` reads when it is imported: the protocol client and the errors; the agent follows when it is asked for. */

export { connect } from './mcp/connect.ts';
export { oauthOnDemand as oauthAuthorization } from './mcp/signIn.ts';
export { ProtocolError, RpcError, TransportError } from './mcp/errors.ts';
export { ModelError } from './model/modelError.ts';
