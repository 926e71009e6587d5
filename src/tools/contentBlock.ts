import { asString, isRecord, type JsonObject } from '../base/json.ts';
import { base64Size, checkImage, sizeText } from './image.ts';
import type { ToolPart } from './tool.ts';

/** JSON of something unknown is given to a model up to this many characters. */
const longestUnknown = 2000;

/** One block of a result as a model can read it. Never an object's default text; what cannot be shown is named with type and size. */
export function readBlock(block: unknown): readonly ToolPart[] {
  if (typeof block === 'string') return [text(block)];
  if (!isRecord(block)) return [text(`[A content block that is ${block === null ? 'null' : `a ${typeof block}`}]`)];
  switch (block.type) {
    case 'text':
      return [text(plainText(block.text))];
    case 'image':
      return [readImage(block)];
    case 'audio':
      return [text(`[Audio, ${nameOf(block)}${binaryFacts(block.mimeType, block.data)}: not passed on to the model]`)];
    case 'resource':
      return readResource(isRecord(block.resource) ? block.resource : block);
    case 'resource_link':
      return [text(describeLink(block))];
    default:
      return [text(describeUnknown(block))];
  }
}

/** True when the block is for a model (MCP "Annotations": an audience without `assistant` leaves it out). */
export function isForModel(block: unknown): boolean {
  if (!isRecord(block) || !isRecord(block.annotations)) return true;
  const { audience } = block.annotations;
  return !Array.isArray(audience) || audience.length === 0 || audience.includes('assistant');
}

/** Any value as text: strings as they are, the rest as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

function text(value: string): ToolPart {
  return { kind: 'text', text: value };
}

function readImage(block: JsonObject): ToolPart {
  const image = checkImage(block.data);
  if (image.ok) return { kind: 'image', mimeType: image.mimeType, data: image.data };
  const facts = binaryFacts(block.mimeType, block.data);
  return text(`[Image, ${facts}: left out, because ${image.reason}]`);
}

function readResource(resource: JsonObject): readonly ToolPart[] {
  const uri = asString(resource.uri) ?? 'a resource without address';
  if (typeof resource.text === 'string') {
    const type = asString(resource.mimeType);
    return [text(`[Resource ${uri}${type === undefined ? '' : `, ${type}`}]\n${resource.text}`)];
  }
  if (resource.blob === undefined) return [text(`[Resource ${uri}: without content]`)];
  const note = text(`[Resource ${nameOf(resource)}${uri}, ${binaryFacts(resource.mimeType, resource.blob)}]`);
  const image = asString(resource.mimeType)?.startsWith('image/') ? checkImage(resource.blob) : undefined;
  return image?.ok ? [note, { kind: 'image', mimeType: image.mimeType, data: image.data }] : [note];
}

function describeLink(link: JsonObject): string {
  const facts = [asString(link.mimeType), typeof link.size === 'number' ? sizeText(link.size) : undefined]
    .filter((fact) => fact !== undefined)
    .join(', ');
  const label = asString(link.title) ?? asString(link.name);
  const about = asString(link.description);
  return `[Link to resource ${label === undefined ? '' : `"${label}" `}${plainText(link.uri)}${facts && ` (${facts})`}]${about ? ` ${about}` : ''}`;
}

function describeUnknown(block: JsonObject): string {
  const type = typeof block.type === 'string' ? `of type "${block.type}"` : 'without a type';
  const json = JSON.stringify(block);
  const shown = json.length > longestUnknown ? `${json.slice(0, longestUnknown)}… (${json.length} characters)` : json;
  return `[Content ${type}] ${shown}`;
}

function nameOf(block: JsonObject): string {
  const name = asString(block.title) ?? asString(block.name);
  return name === undefined ? '' : `"${name}", `;
}

function binaryFacts(mimeType: unknown, data: unknown): string {
  const type = asString(mimeType) ?? 'unknown type';
  return `${type}, ${sizeText(typeof data === 'string' ? base64Size(data) : 0)}`;
}
