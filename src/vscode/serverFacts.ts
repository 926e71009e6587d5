import * as vscode from 'vscode';

import { tokensOf } from '../agent/tokensOf.ts';
import { offersPrompts, offersResources } from '../mcp/offers.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { serverIdentity } from '../servers/serverIdentity.ts';
import { errorOf, shownKind } from '../servers/serverState.ts';
import type { ServerEntry } from '../settings/serverEntry.ts';
import type { Tool } from '../tools/tool.ts';
import type { EditorServers } from './editorServers.ts';
import { serverErrorText } from './serverErrorText.ts';
import type { BadEntry, ServerFacts, ShownState, ToolFacts, ViewFacts, ViewNote } from './serversTree.ts';
import type { SourcedProblem } from './settingsSource.ts';
import type { SignIns } from './signIns.ts';

export interface FactSources {
  readonly servers: EditorServers;
  readonly signIns: SignIns;
}

/** Everything that the servers view, the status bar and the lenses tell, as it is now. Starts nothing. */
export function gatherFacts({ servers, signIns }: FactSources, notes: readonly ViewNote[] = []): ViewFacts {
  const { entries, problems } = servers.settings();
  const needed = new Set(signIns.needed);
  return {
    servers: servers.isStarted
      ? servers.connections().map((server) => factsOf(server, servers, needed))
      : entries.map((entry) => idleFacts(entry, servers)),
    badEntries: badEntries(problems),
    notes,
  };
}

/** What is known of one server. */
export function factsOf(server: ServerConnection, servers: EditorServers, needed: ReadonlySet<string>): ServerFacts {
  const { spec, state, tools } = server;
  const listed = servers.toolsOf(spec.identity);
  const error = errorOf(state);
  const shown = shownState(server);
  const text = shown === 'held' ? spec.held : error && serverErrorText(error, spec.name);
  return {
    identity: spec.identity,
    name: spec.name,
    source: spec.source,
    state: shown,
    ...(text !== undefined && { error: text }),
    needsSignIn: shown === 'failed' && needed.has(spec.name),
    isRemote: isAddress(spec.target),
    tools: listed.map((tool) => toolFacts(tool, servers)),
    leftOut: Math.max(0, tools.length - listed.length),
    hasPrompts: state.kind === 'ready' && offersPrompts(state.client),
    hasResources: state.kind === 'ready' && offersResources(state.client),
  };
}

function shownState({ spec, state }: ServerConnection): ShownState {
  if (spec.disabled) return 'disabled';
  if (spec.isHalted === true) return 'halted';
  if (spec.held !== undefined) return 'held';
  return shownKind(state);
}

function toolFacts(tool: Tool, servers: EditorServers): ToolFacts {
  return {
    name: tool.name,
    tool: tool.tool,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    // Counted when it is looked at: the status bar tells of servers with thousands of tools.
    get tokens() {
      return tokensOf(tool);
    },
    isOn: servers.switches.isOn(tool.serverIdentity, tool.tool),
  };
}

/** An entry before the servers of the window are started. */
function idleFacts({ name, source, launch, disabled }: ServerEntry, servers: EditorServers): ServerFacts {
  const identity = serverIdentity(source, name);
  return {
    identity,
    name,
    source,
    state: disabled ? 'disabled' : servers.isHalted(identity) ? 'halted' : 'idle',
    needsSignIn: false,
    isRemote: launch.kind !== 'stdio',
    tools: [],
    leftOut: 0,
    hasPrompts: false,
    hasResources: false,
  };
}

/** The first error of each entry that is left out for it. */
function badEntries(problems: readonly SourcedProblem[]): readonly BadEntry[] {
  const entries = new Map<string, BadEntry>();
  for (const { source, path, segments, message, severity } of problems) {
    if (severity !== 'error' || !path.startsWith('mcp.servers')) continue;
    const name = String(segments[0] ?? 'mcp.servers');
    const key = `${source}/${name}`;
    if (!entries.has(key)) entries.set(key, { name, source, message });
  }
  return [...entries.values()];
}

/** Restricted Mode leaves the servers of the workspace out. */
export function trustNotes(): readonly ViewNote[] {
  const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
  return hasWorkspace && !vscode.workspace.isTrusted ? ['untrusted'] : [];
}

function isAddress(target: string | undefined): boolean {
  return /^https?:/i.test(target ?? '');
}
