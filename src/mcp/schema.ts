import type { JsonObject } from '../base/json.ts';

/** The MCP types that we use, named as the specification names them. Members that we do not read are kept untouched. */

/** Revisions with a session and a handshake, newest first. */
export const SESSION_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The stateless revision. */
export const STATELESS_REVISION = '2026-07-28';

/** MCP "Lifecycle", `Implementation`: the name of a program that takes part. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** MCP "Tools", `ToolAnnotations`: hints of the server, not to be trusted blindly. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as the server lists it. `inputSchema` is passed on unaltered. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly [member: string]: unknown;
}

/** A block of a result: text, image, audio, resource, resource_link, or one that is not known yet. */
export type ContentBlock = { readonly type: string; readonly [member: string]: unknown };

/** MCP "Tools", `CallToolResult`. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly [member: string]: unknown;
}

/** MCP "Progress": how far a request has come, in the server's own units. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
