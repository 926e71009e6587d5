import { isRecord } from '../base/json.ts';
import type { Client } from '../mcp/client.ts';
import {
  isResourceNotFound,
  listResources,
  listResourceTemplates,
  offersResources,
  readResource,
} from '../mcp/offers.ts';
import type { Resource, ResourceTemplate } from '../mcp/offerTypes.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { readBlock } from './contentBlock.ts';
import { sizeText } from './image.ts';
import { matchesTemplate } from './uriTemplate.ts';
import { failedOutcome, type Tool, type ToolCallOptions, type ToolOutcome, type ToolPart } from './tool.ts';

/** Names of the agent's own tools for resources; no server's tool may have them. */
export const resourceToolNames = ['list_resources', 'read_resource'] as const;

/** Characters of a description in a list. */
const longestDescription = 200;

const serverSchema = {
  type: 'string',
  description: 'The name of the server; needed only where several could be meant',
} as const;
const listSchema = { type: 'object', properties: { server: serverSchema } } as const;
const readSchema = {
  type: 'object',
  properties: {
    uri: { type: 'string', description: 'The address as it is listed, or made from a template' },
    server: serverSchema,
  },
  required: ['uri'],
} as const;

/**
 * Two tools with which a model finds and reads resources of the servers that are ready; none where no such server offers
 * any. Reading is all that they can do, and only on servers that the person has configured, so that they need no approval.
 */
export function resourceTools(connections: () => readonly ServerConnection[]): readonly Tool[] {
  if (!connections().some(hasResources)) return [];
  return [
    ownTool({
      name: 'list_resources',
      title: 'List resources',
      description:
        'Lists what the MCP servers have to read besides their tools: documents, files, records, by their addresses. Templates stand for many addresses.',
      inputSchema: listSchema,
      call: (args, options) => list(chosen(connections(), args), options),
    }),
    ownTool({
      name: 'read_resource',
      title: 'Read a resource',
      description: 'Reads one resource of an MCP server by its address (URI). It changes nothing.',
      inputSchema: readSchema,
      call: (args, options) => read(args, connections(), options),
    }),
  ];
}

function ownTool(tool: Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'call'>): Tool {
  return {
    ...tool,
    server: '',
    serverIdentity: '',
    tool: tool.name,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    approvalKey: { server: '', tool: tool.name, definition: '' },
  };
}

function hasResources({ state }: ServerConnection): boolean {
  return state.kind === 'ready' && offersResources(state.client);
}

/** The servers that a call is about: the named one, or all. */
function chosen(
  connections: readonly ServerConnection[],
  { server }: Readonly<Record<string, unknown>>,
): readonly ServerConnection[] {
  const able = connections.filter(hasResources);
  return typeof server === 'string' && server !== '' ? able.filter(({ spec }) => spec.name === server) : able;
}

interface Listing {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
}

function listingOf(connection: ServerConnection, signal: AbortSignal): Promise<Listing> {
  return connection.use(signal, async (client: Client) => {
    const [resources, templates] = await Promise.all([
      listResources(client, { signal }),
      listResourceTemplates(client, { signal }),
    ]);
    return { resources, templates };
  });
}

async function list(servers: readonly ServerConnection[], { signal }: ToolCallOptions): Promise<ToolOutcome> {
  if (servers.length === 0) return failedOutcome('No server of that name that is ready offers resources.');
  const texts = await Promise.all(
    servers.map(async (server) => {
      try {
        return listingText(server.spec.name, await listingOf(server, signal));
      } catch (error) {
        return `Server ${JSON.stringify(server.spec.name)}: its resources could not be listed: ${messageOf(error)}`;
      }
    }),
  );
  return told([{ kind: 'text', text: texts.join('\n\n') }]);
}

function listingText(server: string, { resources, templates }: Listing): string {
  const lines = [
    ...resources.map((resource) => `- ${resource.uri}${factsOf(resource)}`),
    ...templates.map((template) => `- template ${template.uriTemplate}${factsOf(template)}`),
  ];
  return `Server ${JSON.stringify(server)}:\n${lines.length === 0 ? 'no resources' : lines.join('\n')}`;
}

function factsOf(entry: Resource | ResourceTemplate): string {
  const size = 'size' in entry && entry.size !== undefined ? sizeText(entry.size) : undefined;
  const facts = [entry.mimeType, size].filter((fact) => fact !== undefined).join(', ');
  const words = (entry.description ?? '').replaceAll(/\s+/g, ' ').trim();
  const short = words.length > longestDescription ? `${words.slice(0, longestDescription)}…` : words;
  return ` ${JSON.stringify(entry.title ?? entry.name)}${facts && ` (${facts})`}${short && `: ${short}`}`;
}

async function read(
  args: Readonly<Record<string, unknown>>,
  connections: readonly ServerConnection[],
  { signal }: ToolCallOptions,
): Promise<ToolOutcome> {
  const { uri } = args;
  if (typeof uri !== 'string' || uri === '')
    return failedOutcome('read_resource needs the address of a resource in "uri".');
  const servers = await holdersOf(uri, chosen(connections, args), signal);
  const [server, ...others] = servers;
  if (server === undefined) return failedOutcome('No server of that name that is ready offers resources.');
  if (others.length > 0) {
    const names = servers.map(({ spec }) => JSON.stringify(spec.name)).join(', ');
    return failedOutcome(`Several servers could be meant: ${names}. Name one of them in "server".`);
  }
  try {
    const contents = await server.use(signal, (client) => readResource(client, uri, { signal }));
    return told(contents.flatMap((resource) => readBlock({ type: 'resource', resource })));
  } catch (error) {
    const name = JSON.stringify(server.spec.name);
    if (isResourceNotFound(error))
      return failedOutcome(`The server ${name} has no resource ${uri}. List its resources first.`);
    return failedOutcome(`The server ${name} did not give ${uri}: ${messageOf(error)}`);
  }
}

/** Of several servers those that list the address, or a template of it; all of them where none does. */
async function holdersOf(
  uri: string,
  servers: readonly ServerConnection[],
  signal: AbortSignal,
): Promise<readonly ServerConnection[]> {
  if (servers.length < 2) return servers;
  const knows = await Promise.all(
    servers.map(async (server) => {
      try {
        const { resources, templates } = await listingOf(server, signal);
        const isListed = resources.some((resource) => resource.uri === uri);
        return isListed || templates.some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri));
      } catch {
        // A server that cannot list may still be the one that is meant, when no other knows the address.
        return false;
      }
    }),
  );
  const holders = servers.filter((_server, place) => knows[place] === true);
  return holders.length > 0 ? holders : servers;
}

function told(parts: readonly ToolPart[]): ToolOutcome {
  const whole: readonly ToolPart[] = parts.length > 0 ? parts : [{ kind: 'text', text: 'The resource is empty.' }];
  return { isError: false, content: whole.map(asBlock), parts: whole };
}

function asBlock(part: ToolPart): unknown {
  return part.kind === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', data: part.data, mimeType: part.mimeType };
}

function messageOf(error: unknown): string {
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : String(error);
}
