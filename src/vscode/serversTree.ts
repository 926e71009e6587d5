/** The servers view as data: what stands in it, in which order, what can be done with each row, and what needs the person. Pure. */

import type { Prompt, Resource, ResourceTemplate } from '../mcp/offerTypes.ts';

/**
 * What a server is at, as the view tells it: besides the states of a connection `disabled` by its settings, `halted` by the person,
 * `held` for another reason, and `idle` before the servers of the window have been started.
 */
export type ShownState = 'disabled' | 'halted' | 'held' | 'idle' | 'stopped' | 'connecting' | 'ready' | 'failed';

/** One tool of a server, switched on or off. */
export interface ToolFacts {
  /** The offered name. */
  readonly name: string;
  /** The server's own name. */
  readonly tool: string;
  readonly title?: string;
  readonly description: string;
  /** What offering it costs in each request, an estimate. */
  readonly tokens: number;
  readonly isOn: boolean;
}

/** One server, as far as it is known now. */
export interface ServerFacts {
  readonly identity: string;
  readonly name: string;
  readonly source: string;
  readonly state: ShownState;
  /** What it failed with, or why it is held, fit to be shown. */
  readonly error?: string;
  readonly needsSignIn: boolean;
  /** It is behind a URL, where one can sign in. */
  readonly isRemote: boolean;
  readonly tools: readonly ToolFacts[];
  /** Tools that it lists and that the settings leave out. */
  readonly leftOut: number;
  readonly hasPrompts: boolean;
  readonly hasResources: boolean;
}

/** An entry of the settings that cannot be used. */
export interface BadEntry {
  readonly name: string;
  readonly source: string;
  readonly message: string;
}

/** What the person should know besides the servers. */
export type ViewNote = 'untrusted' | 'no-model';

export interface ViewFacts {
  readonly servers: readonly ServerFacts[];
  readonly badEntries: readonly BadEntry[];
  readonly notes: readonly ViewNote[];
}

/** What a server answered when it was asked for its prompts or resources. */
export type Offer =
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'template'; readonly template: ResourceTemplate };

export type GroupName = 'tools' | 'prompts' | 'resources';

/** One row. `id` stays the same while the row means the same. */
export type TreeNode = { readonly id: string; readonly parent?: TreeNode } & (
  | { readonly kind: 'server'; readonly server: ServerFacts }
  | { readonly kind: 'problem'; readonly server: ServerFacts; readonly text: string }
  | { readonly kind: 'group'; readonly server: ServerFacts; readonly group: GroupName }
  | { readonly kind: 'tool'; readonly server: ServerFacts; readonly tool: ToolFacts }
  | ({ readonly server: ServerFacts } & Offer)
  | { readonly kind: 'empty'; readonly server: ServerFacts; readonly group: GroupName }
  | { readonly kind: 'bad-entry'; readonly entry: BadEntry }
  | { readonly kind: 'note'; readonly note: ViewNote }
);

/** The rows at the top: servers in the order of the settings, entries that cannot be used, notes. Empty where nothing is configured. */
export function rootNodes({ servers, badEntries, notes }: ViewFacts): readonly TreeNode[] {
  const rows: TreeNode[] = [
    ...servers.map((server): TreeNode => ({ kind: 'server', id: server.identity, server })),
    ...badEntries.map((entry): TreeNode => ({ kind: 'bad-entry', id: `${entry.source}/${entry.name}\0bad`, entry })),
  ];
  // In an empty view the welcome texts say it.
  return rows.length === 0
    ? []
    : [...rows, ...notes.map((note): TreeNode => ({ kind: 'note', id: `\0${note}`, note }))];
}

/** The rows below a row, as far as they are known without asking a server. `offers`: what it answered for a group of prompts or resources. */
export function childNodes(parent: TreeNode, offers: readonly Offer[] = []): readonly TreeNode[] {
  if (parent.kind === 'server') return serverChildren(parent, parent.server);
  if (parent.kind !== 'group') return [];
  const { server, group } = parent;
  const rows: TreeNode[] =
    group === 'tools'
      ? server.tools.map((tool) => ({ kind: 'tool', id: `${parent.id}\0${tool.tool}`, parent, server, tool }))
      : offers.map((offer, place) => ({ ...offer, id: `${parent.id}\0${place}\0${offerName(offer)}`, parent, server }));
  return rows.length > 0 ? rows : [{ kind: 'empty', id: `${parent.id}\0empty`, parent, server, group }];
}

function serverChildren(parent: TreeNode, server: ServerFacts): TreeNode[] {
  const groups: readonly GroupName[] = [
    ...(server.tools.length > 0 || server.state === 'ready' ? (['tools'] as const) : []),
    ...(server.hasPrompts ? (['prompts'] as const) : []),
    ...(server.hasResources ? (['resources'] as const) : []),
  ];
  const problem: TreeNode[] =
    server.error === undefined
      ? []
      : [{ kind: 'problem', id: `${server.identity}\0problem`, parent, server, text: server.error }];
  return [
    ...problem,
    ...groups.map((group): TreeNode => ({ kind: 'group', id: `${server.identity}\0${group}`, parent, server, group })),
  ];
}

function offerName(offer: Offer): string {
  if (offer.kind === 'prompt') return offer.prompt.name;
  return offer.kind === 'resource' ? offer.resource.uri : offer.template.uriTemplate;
}

/** What can be done with a server now. The names stand in the `when` clauses of the manifest. */
export function actionsOf({ state, needsSignIn, isRemote }: ServerFacts): readonly string[] {
  const isUp = state === 'ready' || state === 'connecting' || state === 'failed';
  return [
    ...(['halted', 'held', 'idle', 'stopped'].includes(state) ? ['start'] : []),
    ...(isUp ? ['stop', 'restart'] : []),
    ...(needsSignIn ? ['signIn'] : []),
    ...(isRemote && isUp && !needsSignIn ? ['signOut'] : []),
  ];
}

/** What a row is and what can be done with it, for the `when` clauses of the manifest: `server;stop;restart;`. */
export function contextOf(node: TreeNode): string {
  if (node.kind === 'tool') return `tool;${node.tool.isOn ? 'on' : 'off'};`;
  const actions = node.kind === 'server' ? actionsOf(node.server) : [];
  return [node.kind, ...actions, ''].join(';');
}

/** Why a server needs the person. */
export function needOf({ state, needsSignIn }: ServerFacts): 'sign-in' | 'permission' | 'failed' | undefined {
  if (needsSignIn) return 'sign-in';
  if (state === 'held') return 'permission';
  return state === 'failed' ? 'failed' : undefined;
}

/** All servers in a few figures. */
export interface Summary {
  /** Servers that should run. */
  readonly wanted: number;
  readonly ready: number;
  /** Servers and entries that need the person. */
  readonly needed: number;
  /** `error`: something that should run does not; `warning`: it waits for a word of the person. */
  readonly level: 'none' | 'warning' | 'error';
  /** True where there is nothing to tell of. */
  readonly isEmpty: boolean;
}

export function summaryOf({ servers, badEntries }: ViewFacts): Summary {
  const needs = servers.flatMap((server) => needOf(server) ?? []);
  const isBroken = badEntries.length > 0 || needs.includes('failed');
  return {
    wanted: servers.filter(({ state }) => state !== 'disabled' && state !== 'halted').length,
    ready: servers.filter(({ state }) => state === 'ready').length,
    needed: needs.length + badEntries.length,
    level: isBroken ? 'error' : needs.length > 0 ? 'warning' : 'none',
    isEmpty: servers.length === 0 && badEntries.length === 0,
  };
}

/** Tokens that the tools of a server cost in each request, and how many of them are on. */
export function toolSums({ tools }: ServerFacts): { readonly on: number; readonly tokens: number } {
  const on = tools.filter(({ isOn }) => isOn);
  return { on: on.length, tokens: on.reduce((sum, { tokens }) => sum + tokens, 0) };
}
