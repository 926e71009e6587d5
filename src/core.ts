/** What `dist/core.mjs` publishes: one session with one server, and a whole agent without an editor. */

export { connect, type ConnectOptions } from './mcp/connect.ts';
export { oauthOnDemand as oauthAuthorization } from './mcp/signIn.ts';
export type { OauthOptions, OauthStore, OpenRedirect, Redirect } from './mcp/oauth/oauthOptions.ts';
export type { Authorization, AuthorizationChallenge, AuthorizationRequest } from './mcp/authorization.ts';
export { openAgent, type Agent, type AgentOptions, type AgentServer } from './openAgent.ts';
export type { AgentEvent, ApprovalAnswer, ApprovalQuestion } from './agent/agentEvent.ts';
export type { Disposable } from './base/disposables.ts';
export type { Tap, TapFact, TapSource } from './base/tap.ts';
export type { CallToolOptions, Client, RequestOptions } from './mcp/client.ts';
export {
  ProtocolError,
  RpcError,
  TransportError,
  type ProtocolErrorCode,
  type TransportErrorCode,
} from './mcp/errors.ts';
export type { CallToolResult, ContentBlock, Implementation, Progress, Tool, ToolAnnotations } from './mcp/schema.ts';
export type { Verdict, Verdicts } from './mcp/verdicts.ts';
export type { HttpServerConfig, ServerConfig, StdioServerConfig } from './mcp/serverConfig.ts';
export type { ChatMessage, ChatModel, ChatRequest, ModelEvent, ModelPart, ModelTool } from './model/chatModel.ts';
export { ModelError, type ModelErrorCode } from './model/modelError.ts';
