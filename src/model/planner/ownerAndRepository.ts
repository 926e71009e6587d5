/** "octo/hello" names an owner and a repository wherever both are asked for. */
import { spend, type Evidence } from './evidence.ts';
import type { Field } from './schemaFields.ts';

/** The two values where the text holds one `owner/name` and the fields want both apart. */
export function ownerAndRepository(fields: readonly Field[], evidence: Evidence): Map<Field, unknown> {
  const owner = fields.find(({ words }) => /^(?:owner|org|organization|namespace|workspace)$/.test(words[0] ?? ''));
  const repository = fields.find(({ words }) => /^(?:repo|repository|project|slug)$/.test(words[0] ?? ''));
  const pair = evidence.mentions.find(
    ({ kind, value }) => kind === 'path' && /^[\w.-]+\/[\w.-]+$/.test(value) && !value.startsWith('.'),
  );
  if (owner === undefined || repository === undefined || pair === undefined) return new Map();
  const [first, second] = pair.value.split('/');
  spend(evidence, [pair]);
  return new Map([
    [owner, first],
    [repository, second],
  ]);
}
