import type { ModelTool } from '../chatModel.ts';
import type { RequestForm } from './requestForm.ts';
import { schemaForModel, type SchemaForModel } from './schemaForModel.ts';

export interface EncodedTools {
  /** One JSON text a tool. */
  readonly texts: readonly string[];
  readonly names: readonly string[];
  /** Why a tool is not among them. */
  readonly notices: readonly string[];
}

/** The strictest endpoints take descriptions of this length, in characters. */
const shortDescription = 1024;

/** Writes the tools in the order given. One that cannot be offered is left out with a notice; the others are offered. */
export function encodeTools(tools: readonly ModelTool[], form: RequestForm): EncodedTools {
  const texts: string[] = [];
  const names = new Set<string>();
  const notices: string[] = [];
  for (const tool of tools) {
    const encoded = names.has(tool.name) ? { problem: 'its name is taken already' } : encodeTool(tool, form);
    if ('problem' in encoded) notices.push(`The tool ${tool.name} is not offered to the model: ${encoded.problem}.`);
    else {
      texts.push(encoded.text);
      names.add(tool.name);
    }
  }
  return { texts, names: [...names], notices };
}

function encodeTool(tool: ModelTool, form: RequestForm): { text: string } | { problem: string } {
  const refused = form.refusedTools.get(tool.name);
  if (refused !== undefined) return { problem: `the endpoint refuses it (${refused})` };
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) return { problem: 'models do not accept its name' };
  const schema = schemaText(tool.inputSchema, form.plainTools);
  if (!schema.ok) return { problem: schema.reason };
  const description = form.plainTools ? shorten(tool.description) : tool.description;
  const members = [`"name":${JSON.stringify(tool.name)}`];
  if (description !== '') members.push(`"description":${JSON.stringify(description)}`);
  members.push(`"parameters":${schema.text}`);
  return { text: `{"type":"function","function":{${members.join(',')}}}` };
}

/** Schemas are converted once, for as long as the server's own object lives. */
const converted = { near: new WeakMap<object, SchemaForModel>(), plain: new WeakMap<object, SchemaForModel>() };

function schemaText(schema: ModelTool['inputSchema'], isPlain: boolean): SchemaForModel {
  const kept = isPlain ? converted.plain : converted.near;
  const known = kept.get(schema);
  if (known !== undefined) return known;
  const fresh = schemaForModel(schema, { plain: isPlain });
  kept.set(schema, fresh);
  return fresh;
}

function shorten(text: string): string {
  return text.length > shortDescription ? `${text.slice(0, shortDescription - 1)}…` : text;
}
