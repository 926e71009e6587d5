/** What `dist/core.mjs` reads when it is imported: the errors. Everything else is read when it is first called. */

export { ProtocolError, RpcError, TransportError } from './mcp/errors.ts';
export { ModelError } from './model/modelError.ts';
