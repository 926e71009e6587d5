import type { ModelTool } from '../chatModel.ts';
import type { RequestForm } from './requestForm.ts';
import { schemaForModel, type SchemaForModel } from './schemaForModel.ts';

/** Tools in the endpoint's form. */
export interface EncodedTools {
  /** The JSON text of each tool, by its name, in the order given. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why a tool is not among them. */
  readonly notices: readonly string[];
}

/** The strictest endpoints take descriptions of this length, in characters. */
const shortDescription = 1024;

/** Writes the tools in the order given. One that cannot be offered is left out with a notice; the others are offered. */
export function encodeTools(tools: readonly ModelTool[], form: RequestForm): EncodedTools {
  const texts = new Map<string, string>();
  const notices: string[] = [];
  for (const tool of tools) {
    const encoded = texts.has(tool.name) ? { problem: 'its name is taken already' } : encodeTool(tool, form);
    if ('problem' in encoded) notices.push(`The tool ${tool.name} is not offered to the model: ${encoded.problem}.`);
    else texts.set(tool.name, encoded.text);
  }
  return { texts, notices };
}

function encodeTool(tool: ModelTool, form: RequestForm): { text: string } | { problem: string } {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) return { problem: 'models do not accept its name' };
  const schema = schemaText(tool.inputSchema, form.plainTools);
  if (!schema.ok) return { problem: schema.reason };
  const description = form.plainTools ? shorten(tool.description) : tool.description;
  const members = [`"name":${JSON.stringify(tool.name)}`];
  if (description !== '') members.push(`"description":${JSON.stringify(description)}`);
  members.push(`"parameters":${schema.text}`);
  const text = `{"type":"function","function":{${members.join(',')}}}`;
  const refused = form.refusedTools.get(text);
  return refused === undefined ? { text } : { problem: `the endpoint refuses it (${refused})` };
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
