import type { JsonObject } from '../base/json.ts';
import type { Field } from './field.ts';
import { isRewritten, rewriteField } from './otherSpellings.ts';
import type { Report } from './problem.ts';

/** The members of an entry that we read, and what each is called elsewhere (without case, `-` and `_`). */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  type: ['transport', 'transporttype', 'protocol', 'servertype'],
  command: ['cmd', 'executable', 'program'],
  args: ['arguments', 'argv', 'commandargs'],
  cwd: ['workingdirectory', 'workingdir', 'workdir'],
  env: ['environment', 'envvars', 'envs', 'environmentvariables', 'envvariables'],
  envFile: ['dotenv', 'environmentfile'],
  url: ['serverurl', 'uri', 'baseurl', 'endpoint', 'remoteurl', 'mcpurl'],
  headers: ['httpheaders', 'customheaders', 'requestheaders', 'header'],
  timeout: ['requesttimeout', 'toolcalltimeout', 'tooltimeoutsec', 'timeoutseconds', 'timeoutsec'],
  prefix: ['toolprefix'],
  tools: ['allowedtools', 'enabledtools', 'includetools'],
  autoApprove: ['alwaysallow', 'autoallow', 'autoapproved', 'trust'],
  disabled: [],
  oauth: ['auth', 'authorization'],
  ca: ['cacert', 'cafile', 'certificateauthority'],
};

/** Members that other products write and that mean nothing here. */
const WITHOUT_MEANING = new Set(
  'name description title $schema gallery version dev provider id note notes comment icon tags author homepage repository sandboxenabled chatmenu startuptimeoutsec'.split(
    ' ',
  ),
);

const canonical = new Map(Object.keys(OTHER_NAMES).map((name) => [plain(name), name]));
for (const [name, others] of Object.entries(OTHER_NAMES)) for (const other of others) canonical.set(other, name);

/** `server_URL` → `serverurl`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/** True for a member that an entry may have, under whatever name. */
export function isKnownField(name: string): boolean {
  return canonical.has(plain(name)) || isRewritten(plain(name));
}

/** Sorts the members of an entry by the name that we read, telling of foreign spellings, doubles and unknown names. */
export function readFields(entry: JsonObject, report: Report): Map<string, Field> {
  const fields = new Map<string, Field>();
  const written = Object.entries(entry).filter(([, value]) => value !== undefined);
  const ours = ([name]: [string, unknown]): number => Number(Object.hasOwn(OTHER_NAMES, name));
  for (const [name, value] of written.toSorted((a, b) => ours(b) - ours(a))) {
    for (const field of translate({ name, value, report: report.at(name) })) addField(fields, field);
  }
  return fields;
}

/** Brings one written member to the names that we read; none for a member without effect. */
function translate(written: Field): Field[] {
  const key = plain(written.name);
  const rewritten = rewriteField(key, written);
  if (rewritten) {
    // A field may be rewritten to another foreign spelling once more, as the members of a `transport` object are.
    return rewritten.flatMap((field) => (Object.hasOwn(OTHER_NAMES, field.name) ? [field] : translate(field)));
  }
  const name = canonical.get(key);
  if (name === undefined) reportUnknown(written);
  else if (name !== written.name)
    written.report.hint(`"${written.name}" is understood; here it is called "${name}".`, { kind: 'rename', to: name });
  return name === undefined ? [] : [{ ...written, name }];
}

function addField(fields: Map<string, Field>, field: Field): void {
  const earlier = fields.get(field.name);
  const joined = earlier && join(earlier, field);
  if (!earlier) fields.set(field.name, field);
  else if (joined) fields.set(field.name, joined);
  else if (earlier.value !== field.value) {
    field.report.warn(`This is left out, because ${earlier.report.path} says "${field.name}" already.`);
  }
}

/** Headers and tool filters may be spread over several members; what was written under our own name comes first. */
function join(earlier: Field, later: Field): Field | undefined {
  if (earlier.name !== 'headers' && earlier.name !== 'tools') return undefined;
  return { ...earlier, value: { ...asParts(later.value), ...asParts(earlier.value) } };
}

function asParts(value: unknown): object {
  if (Array.isArray(value)) return { allow: value };
  return typeof value === 'object' && value !== null ? value : {};
}

function reportUnknown({ name, report }: Field): void {
  if (WITHOUT_MEANING.has(plain(name))) return;
  const near = Object.keys(OTHER_NAMES).find(
    (known) => distance(plain(known), plain(name)) <= (known.length > 4 ? 2 : 1),
  );
  if (near === undefined) report.hint(`"${name}" is not known and has no effect.`, { kind: 'remove' });
  else report.warn(`"${name}" is not known and has no effect. Did you mean "${near}"?`, { kind: 'rename', to: near });
}

/** The number of letters to add, drop or change between two short words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
