import type { Node } from 'jsonc-parser';

import { inputIds } from './clearText.ts';
import { addInput, setValue } from './editSettings.ts';
import { isVariableKind } from './evaluate.ts';
import { spanOf, type Finding, type Fix } from './finding.ts';
import { isSecretName } from './secretText.ts';
import type { DocumentKind, JsonPath } from './settingsPlaces.ts';
import { membersOf, nodeAt } from './settingsTree.ts';
import { variablesIn, type Variable } from './variables.ts';

/** Finds variables that can have no value: of an unknown kind, without a name, or an input that nobody defines. */
export function findVariableFaults(
  text: string,
  root: Node,
  path: JsonPath,
  kind: DocumentKind,
  otherInputs: ReadonlySet<string> = new Set(),
): Finding[] {
  const known = new Set([...otherInputs, ...inputIds(text, root, kind)]);
  return [...membersOf(nodeAt(root, path))].flatMap(([server, { value: entry }]) =>
    [...textsOfEntry(entry, [...path, server])].flatMap(({ node, place }) =>
      variablesIn(String(node.value)).flatMap((variable): Finding[] => {
        const fault = faultOf(variable, known);
        if (fault === undefined) return [];
        return [
          {
            ...spanOf(node, false),
            severity: 'warning',
            ...fault,
            fixes: fixesOf(text, kind, { node, place, variable }),
          },
        ];
      }),
    ),
  );
}

/** Members in which variables do not count. */
const plainMembers = /^(?:name|description|title|note|prefix|tools|autoApprove|alwaysAllow|type)$/;

function* textsOfEntry(entry: Node | undefined, place: JsonPath): Generator<{ node: Node; place: JsonPath }> {
  for (const [name, { value }] of membersOf(entry)) {
    if (!plainMembers.test(name)) yield* textsIn(value, [...place, name]);
  }
}

function* textsIn(node: Node | undefined, place: JsonPath): Generator<{ node: Node; place: JsonPath }> {
  if (node?.type === 'string') yield { node, place };
  else if (node?.type === 'array')
    for (const [index, item] of (node.children ?? []).entries()) yield* textsIn(item, [...place, index]);
  else for (const [name, { value }] of membersOf(node)) yield* textsIn(value, [...place, name]);
}

function faultOf({ text, kind, argument }: Variable, known: ReadonlySet<string>): { message: string } | undefined {
  if (kind === 'input' && argument && !known.has(argument))
    return { message: `There is no input "${argument}". Define it in "inputs", or the server cannot start.` };
  if (isVariableKind(kind)) {
    const isNamed = argument !== undefined && argument !== '';
    return !isNamed && ['env', 'input', 'config'].includes(kind) ? { message: `"${text}" names nothing.` } : undefined;
  }
  return { message: `There is no variable "${text}". For the environment write "\${env:NAME}".` };
}

function fixesOf(
  text: string,
  documentKind: DocumentKind,
  { node, place, variable }: { node: Node; place: JsonPath; variable: Variable },
): Fix[] {
  const { kind, argument } = variable;
  if (kind === 'input' && argument !== undefined && argument !== '') {
    const isSecret = isSecretName(argument) || place.some((step) => typeof step === 'string' && isSecretName(step));
    const input = { id: argument, type: 'promptString', description: argument, ...(isSecret && { password: true }) };
    return [{ title: { kind: 'define', id: argument }, edits: addInput(text, input, documentKind) }];
  }
  const meant = meantBy(variable);
  if (meant === undefined) return [];
  const value = String(node.value).replaceAll(variable.text, () => meant);
  return [{ title: { kind: 'write', value }, edits: setValue(text, place, value) }];
}

/** `${env.NAME}` with a dot, or the plain name of an environment variable. */
function meantBy({ kind, argument }: Variable): string | undefined {
  if (argument !== undefined) return undefined;
  const dotted = /^(env|input|config)\.(.+)$/.exec(kind);
  if (dotted) return `\${${dotted[1]}:${dotted[2]}}`;
  return /^[A-Za-z_]\w*$/.test(kind) && !isVariableKind(kind) ? `\${env:${kind}}` : undefined;
}
