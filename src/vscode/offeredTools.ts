import * as vscode from 'vscode';

import type { Conversation } from '../agent/conversation.ts';
import type { Tool } from '../tools/tool.ts';
import { chooseTools } from './chooseTools.ts';
import type { EditorServers } from './editorServers.ts';

/** The tools that one turn offers to its model: all of them, or as many as the settings allow. */
export class OfferedTools {
  readonly #servers: EditorServers;
  readonly #prompt: string;
  readonly #conversation: Conversation;
  readonly #limit: number;

  constructor(servers: EditorServers, prompt: string, conversation: Conversation) {
    this.#servers = servers;
    this.#prompt = prompt;
    this.#conversation = conversation;
    this.#limit = servers.number('maxTools', 128);
  }

  tools(): readonly Tool[] {
    return chooseTools(this.#servers.tools(), this.#limit, this.#prompt, this.#usedNames());
  }

  /** Says when tools are left out. */
  notices(): readonly string[] {
    const count = this.#servers.tools().length;
    if (count <= this.#limit) return [];
    return [
      vscode.l10n.t(
        '{0} of {1} tools are offered to the model, those that fit your words first (setting mcpAgent.maxTools).',
        this.#limit,
        count,
      ),
    ].filter((text) => this.#conversation.isNews(text));
  }

  #usedNames(): ReadonlySet<string> {
    const calls = this.#conversation.messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls : [],
    );
    return new Set(calls.map(({ name }) => name));
  }
}
