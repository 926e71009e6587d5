import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';

/** Parses JSON with comments. Undefined where the text holds no value. Throws an Error with the line where it is broken. */
export function readTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first === undefined) return root;
  const line = text.slice(0, first.offset).split(/\r\n|\r|\n/).length;
  throw new Error(`Line ${line} of the settings is broken (${printParseErrorCode(first.error)}). Correct it first.`);
}

/** The members of an object as key and value; of two with one name the last one counts, as for the editor. */
export function membersOf(
  node: Node | undefined,
): Map<string, { readonly key: Node; readonly value: Node | undefined }> {
  const members = new Map<string, { key: Node; value: Node | undefined }>();
  if (node?.type !== 'object') return members;
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (typeof key?.value === 'string') members.set(key.value, { key, value });
  }
  return members;
}

/** The node at `path`, if it is there. */
export function nodeAt(root: Node | undefined, path: readonly (string | number)[]): Node | undefined {
  let node = root;
  for (const step of path) {
    node =
      typeof step === 'string'
        ? membersOf(node).get(step)?.value
        : node?.type === 'array'
          ? node.children?.[step]
          : undefined;
  }
  return node;
}
