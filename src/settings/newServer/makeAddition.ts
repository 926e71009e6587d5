import { isRecord, type JsonObject } from '../../base/json.ts';
import type { Addition, NewInput, NewServer } from './addition.ts';
import { uniqueName } from './proposeName.ts';
import { takeSecrets } from './takeSecrets.ts';

/** What is to be added. */
export interface Chosen {
  readonly servers: readonly NewServer[];
  /** Inputs that came with the servers. */
  readonly inputs: readonly JsonObject[];
  readonly notes: readonly string[];
}

/** What is there already: names that the new servers must not have, and ids of inputs. */
export interface Present {
  readonly names: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
}

/** Makes of what was chosen what is to be written: every server under a name of its own, no secret in it. */
export function makeAddition({ servers, inputs, notes }: Chosen, present: Present): Addition {
  const names = new Set(present.names);
  const named = servers.map(({ name, entry }) => {
    const own = uniqueName(name, names);
    names.add(own);
    return { name: own, entry };
  });
  const brought = withFreeIds(named, inputs, present.inputs);
  const ids = new Set([...present.inputs, ...brought.inputs.map(({ id }) => id)]);
  const hidden = takeSecrets(brought.servers, ids);
  return {
    servers: hidden.servers,
    inputs: [...brought.inputs, ...hidden.inputs],
    answers: hidden.answers,
    notes,
  };
}

/** Inputs that come along are taken over; one whose id is taken here gets another, in its entries too. */
function withFreeIds(
  servers: readonly NewServer[],
  inputs: readonly JsonObject[],
  taken: ReadonlySet<string>,
): { servers: readonly NewServer[]; inputs: readonly NewInput[] } {
  const text = JSON.stringify(servers);
  const used = inputs.filter(isInput).filter(({ id }) => text.includes(`\${input:${id}}`));
  const all = new Set(taken);
  const renamed = new Map<string, string>();
  for (const { id } of used) {
    const free = uniqueName(id, all);
    all.add(free);
    renamed.set(id, free);
  }
  return {
    servers: servers.map(({ name, entry }) => ({ name, entry: renameInputs(entry, renamed) })),
    inputs: used.map((input) => ({ ...input, id: renamed.get(input.id) ?? input.id })),
  };
}

function renameInputs(entry: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  const changed: unknown = JSON.parse(JSON.stringify(entry), (_key, value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll(/\$\{input:([^{}]+)\}/g, (_, id: string) => `\${input:${renamed.get(id) ?? id}}`)
      : value,
  );
  return isRecord(changed) ? changed : entry;
}

function isInput(input: JsonObject): input is NewInput {
  return typeof input['id'] === 'string';
}
