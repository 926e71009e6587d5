/** What a tool said of itself when the person allowed it, so that a change can be shown. Pure; storage is passed in. */

import { isRecord } from '../base/json.ts';
import type { Tool } from '../tools/tool.ts';
import type { ApprovalKey, GrantStorage } from './approvalStore.ts';
import { prettyJson, showInvisible } from './plainText.ts';

/** A definition as it was allowed. */
export interface AllowedDefinition extends ApprovalKey {
  /** Readable, line by line; empty where it was too long to keep. */
  readonly text: string;
}

const storageKey = 'mcpAgent.definitions';
const maxEntries = 500;
/** Characters of one definition, and of all. */
const maxText = 20_000;
const maxTotal = 1_000_000;

/** The definitions of tools as the person allowed them. */
export class DefinitionBook {
  readonly #storage: GrantStorage;

  constructor(storage: GrantStorage) {
    this.#storage = storage;
  }

  /** The definition that was allowed last for this tool of this server. */
  find({ server, tool }: ApprovalKey): AllowedDefinition | undefined {
    return this.#read().find((each) => each.server === server && each.tool === tool);
  }

  /** Notes what was allowed. Nothing is written where all of it is known. */
  async note(tools: readonly Tool[]): Promise<void> {
    const news = tools.filter(({ approvalKey }) => this.find(approvalKey)?.definition !== approvalKey.definition);
    if (news.length === 0) return;
    const entries = news.map((tool) => ({ ...tool.approvalKey, text: keptText(definitionText(tool)) }));
    const others = this.#read().filter((old) => !entries.some((each) => isSameTool(each, old)));
    await this.#storage.update(storageKey, withinLimits([...others, ...entries]));
  }

  async clear(): Promise<void> {
    await this.#storage.update(storageKey, []);
  }

  #read(): readonly AllowedDefinition[] {
    const value = this.#storage.get(storageKey);
    return Array.isArray(value) ? value.filter(isDefinition) : [];
  }
}

/** All that a tool says of itself, with members in a fixed order, so that two of these can be compared line by line. */
export function definitionText(tool: Tool): string {
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  const claims = Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== undefined));
  const parts: [string, string | undefined][] = [
    ['name', tool.tool],
    ['title', title],
    ['description', description],
    ['inputSchema', prettyJson(sorted(inputSchema))],
    ['outputSchema', outputSchema && prettyJson(sorted(outputSchema))],
    ['annotations', prettyJson(sorted(claims))],
  ];
  return showInvisible(parts.flatMap(([name, text]) => (text === undefined ? [] : [`${name}:`, text, ''])).join('\n'));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function keptText(text: string): string {
  return text.length > maxText ? '' : text;
}

/** The oldest go first. */
function withinLimits(entries: readonly AllowedDefinition[]): AllowedDefinition[] {
  let total = 0;
  return entries
    .slice(-maxEntries)
    .toReversed()
    .map((entry) => {
      total += entry.text.length;
      return total > maxTotal ? { ...entry, text: '' } : entry;
    })
    .toReversed();
}

function isSameTool(a: ApprovalKey, b: ApprovalKey): boolean {
  return a.server === b.server && a.tool === b.tool;
}

function isDefinition(value: unknown): value is AllowedDefinition {
  return isRecord(value) && ['server', 'tool', 'definition', 'text'].every((name) => typeof value[name] === 'string');
}
