/** What `dist/core.mjs` reads with the first connection: the protocol client. */

export { connect } from './mcp/connect.ts';
export { oauthOnDemand as oauthAuthorization } from './mcp/signIn.ts';
