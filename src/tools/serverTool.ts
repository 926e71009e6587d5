import { createHash } from 'node:crypto';
import { isRecord } from '../base/json.ts';
import type { Tap } from '../base/tap.ts';
import type { Tool as ListedTool, ToolAnnotations as ListedAnnotations } from '../mcp/schema.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import type { ServerSpec } from '../servers/serverSpec.ts';
import { failedOutcome, type Tool, type ToolAnnotations, type ToolCallOptions, type ToolOutcome } from './tool.ts';

/** A tool of a server, and the name that it is offered by. */
export interface ServerToolOptions {
  /** The offered name. */
  readonly name: string;
  readonly connection: ServerConnection;
  readonly listed: ListedTool;
  readonly tap?: Tap;
}

/** A tool of an MCP server, as the agent sees it. */
export class ServerTool implements Tool {
  readonly name: string;
  readonly server: string;
  readonly serverIdentity: string;
  readonly tool: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  readonly annotations: ToolAnnotations;
  readonly #connection: ServerConnection;
  readonly #listed: ListedTool;
  readonly #tap: Tap | undefined;
  #approvalKey: Tool['approvalKey'] | undefined;

  constructor({ name, connection, listed, tap }: ServerToolOptions) {
    this.name = name;
    this.server = connection.spec.name;
    this.serverIdentity = connection.spec.identity;
    this.tool = listed.name;
    this.annotations = readAnnotations(listed.annotations);
    this.title = typeof listed.title === 'string' ? listed.title : this.annotations.title;
    this.description = typeof listed.description === 'string' ? listed.description : '';
    this.inputSchema = isRecord(listed.inputSchema) ? listed.inputSchema : { type: 'object' };
    this.outputSchema = isRecord(listed.outputSchema) ? listed.outputSchema : undefined;
    this.#connection = connection;
    this.#listed = listed;
    this.#tap = tap;
  }

  get approvalKey(): Tool['approvalKey'] {
    this.#approvalKey ??= approvalKeyOf(this.#connection.spec, this.#listed);
    return this.#approvalKey;
  }

  async call(args: Readonly<Record<string, unknown>>, options: ToolCallOptions): Promise<ToolOutcome> {
    const problem = isRecord(args) ? undefined : `The arguments of ${this.tool} must be a JSON object. It was not run.`;
    if (problem !== undefined) return failedOutcome(problem);
    // Whoever calls nothing reads nothing of results.
    const { callTool } = await import('./callTool.ts');
    return await callTool({
      connection: this.#connection,
      tool: this.tool,
      annotations: this.annotations,
      outputSchema: this.outputSchema,
      args,
      options,
      onRequestId: (connection, requestId) => this.#tell({ connection, callId: options.callId, requestId }),
      onNote: (connection, text) =>
        this.#tap?.({ connection, server: this.server, peer: 'mcp', kind: 'note', level: 'debug', text }),
    });
  }

  #tell(fact: { readonly connection: string; readonly callId: string; readonly requestId: number | string }): void {
    this.#tap?.({ ...fact, server: this.server, peer: 'mcp', kind: 'tool-call', tool: this.tool });
  }
}

/** The target is hashed: a command may hold what nobody else should read. */
function approvalKeyOf({ identity, target, place }: ServerSpec, listed: ListedTool): Tool['approvalKey'] {
  const facts = place === undefined ? target : `${target ?? ''}\n${place}`;
  const server = facts === undefined ? identity : `${identity}#${sha256(facts).slice(0, 16)}`;
  return { server, tool: listed.name, definition: definitionHash(listed) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A hash of what a person judged when they allowed a tool: what it says of itself, what it takes and gives. */
function definitionHash(listed: ListedTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  return sha256(canonical({ name, title, description, inputSchema, outputSchema, annotations })).slice(0, 32);
}

/** JSON with sorted members, so that a server may list them in any order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

/** Only what has the right type counts: a hint is a claim of a stranger. */
function readAnnotations(listed: ListedAnnotations | undefined): ToolAnnotations {
  const annotations: Record<string, unknown> = isRecord(listed) ? listed : {};
  const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
  return {
    title: typeof annotations.title === 'string' ? annotations.title : undefined,
    readOnlyHint: flag(annotations.readOnlyHint),
    destructiveHint: flag(annotations.destructiveHint),
    idempotentHint: flag(annotations.idempotentHint),
    openWorldHint: flag(annotations.openWorldHint),
  };
}
