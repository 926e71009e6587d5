import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import type { ModelPart } from '../model/chatModel.ts';
import { clip, fence } from './plainText.ts';

/** Characters of one attachment that a model gets. */
const longestAttachment = 50_000;

/** What the person attached to a message, as text for the model. What cannot be read is told instead. */
export async function readAttachments(references: readonly vscode.ChatPromptReference[]): Promise<ModelPart[]> {
  const parts = await Promise.all(references.map((reference) => readAttachment(reference)));
  return parts.flatMap((text) => (text === undefined ? [] : [{ kind: 'text', text }]));
}

async function readAttachment({ id, value }: vscode.ChatPromptReference): Promise<string | undefined> {
  if (typeof value === 'string') return block(id, value);
  if (value instanceof vscode.Uri) return readFile(value);
  if (value instanceof vscode.Location) return readFile(value.uri, value.range);
  return undefined;
}

async function readFile(uri: vscode.Uri, range?: vscode.Range): Promise<string> {
  const name = vscode.workspace.asRelativePath(uri);
  const place = range === undefined ? name : `${name}:${range.start.line + 1}-${range.end.line + 1}`;
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return block(place, document.getText(range));
  } catch (error) {
    return `Attached: ${place}, which cannot be read as text (${messageOf(error)}).`;
  }
}

function block(name: string, text: string): string {
  return `Attached: ${name}\n${fence(clip(text, longestAttachment), '', longestAttachment + 100)}`;
}
