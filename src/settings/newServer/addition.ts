import type { JsonObject } from '../../base/json.ts';

/** One server that is to be added: its name and its entry, in our own spelling. */
export interface NewServer {
  readonly name: string;
  readonly entry: JsonObject;
}

/** A definition for `mcp.inputs`, as it will be written. */
export interface NewInput extends JsonObject {
  readonly id: string;
}

/** What is to be written into the settings, and what a person should know of it before. */
export interface Addition {
  readonly servers: readonly NewServer[];
  readonly inputs: readonly NewInput[];
  /** Answers that were found in the place of inputs, by id: secrets that belong into secret storage and in no file. */
  readonly answers: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** The text of the preview: exactly what will be written, as it could stand in settings.json. */
export function additionText({ servers, inputs }: Pick<Addition, 'servers' | 'inputs'>): string {
  const value = {
    'mcp.servers': Object.fromEntries(servers.map(({ name, entry }) => [name, entry])),
    ...(inputs.length > 0 && { 'mcp.inputs': inputs }),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
