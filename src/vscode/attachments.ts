import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { isRecord } from '../base/json.ts';
import type { ModelPart } from '../model/chatModel.ts';
import { checkImage } from '../tools/image.ts';
import { clip, fence } from './plainText.ts';

/** Characters of one attachment that a model gets. */
const longestAttachment = 50_000;

/** What the person attached to a message, for the model: texts, and images as such. What cannot be read is told instead. */
export async function readAttachments(references: readonly vscode.ChatPromptReference[]): Promise<ModelPart[]> {
  return (await Promise.all(references.map((reference) => readAttachment(reference)))).flat();
}

async function readAttachment({ id, value }: vscode.ChatPromptReference): Promise<readonly ModelPart[]> {
  if (typeof value === 'string') return [text(block(id, value))];
  if (value instanceof vscode.Uri)
    return isImageName(value.path) ? readImageFile(value) : [text(await readFile(value))];
  if (value instanceof vscode.Location) return [text(await readFile(value.uri, value.range))];
  const image: unknown = value;
  return isBinary(image) ? imageOf(id, await image.data()) : [];
}

/** A pasted picture: bytes that are asked for. The class is in no published declaration. */
interface Binary {
  readonly data: () => Thenable<Uint8Array>;
}

function isBinary(value: unknown): value is Binary {
  return isRecord(value) && typeof value['data'] === 'function';
}

function isImageName(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(path);
}

async function readImageFile(uri: vscode.Uri): Promise<readonly ModelPart[]> {
  const name = vscode.workspace.asRelativePath(uri);
  try {
    return imageOf(name, await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    return [text(`Attached: ${name}, which cannot be read (${messageOf(error)}).`)];
  }
}

/** An image that a model endpoint would refuse must not enter the conversation. */
function imageOf(name: string, bytes: Uint8Array): readonly ModelPart[] {
  const image = checkImage(Buffer.from(bytes).toString('base64'));
  if (!image.ok) return [text(`Attached: ${name}, which is left out, because ${image.reason}.`)];
  return [text(`Attached: ${name}`), { kind: 'image', mimeType: image.mimeType, data: image.data }];
}

function text(words: string): ModelPart {
  return { kind: 'text', text: words };
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

function block(name: string, words: string): string {
  return `Attached: ${name}\n${fence(clip(words, longestAttachment), '', longestAttachment + 100)}`;
}
