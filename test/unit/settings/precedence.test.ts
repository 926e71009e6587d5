import assert from 'node:assert/strict';
import { parseServers } from '../../../src/settings/parseSettings.ts';
import { effectiveEntries } from '../../../src/settings/precedence.ts';
import type { ServerEntry } from '../../../src/settings/serverEntry.ts';

function entries(source: string, ...names: string[]): ServerEntry[] {
  return parseServers(Object.fromEntries(names.map((name) => [name, { command: source }])), source).entries;
}

describe('effectiveEntries', () => {
  it('lets the nearer source win and tells what it hides', () => {
    const all = [
      ...entries('usrlocal', 'bb7', 'mine'),
      ...entries('usrremote', 'bb7'),
      ...entries('workspace', 'bb7'),
      ...entries('wf1', 'bb7'),
      ...entries('wf0', 'bb7'),
    ];
    const { entries: used, shadowed } = effectiveEntries(all);
    assert.deepEqual(
      used.map(({ name, source }) => [name, source]),
      [
        ['bb7', 'wf0'],
        ['mine', 'usrlocal'],
      ],
    );
    assert.deepEqual(
      shadowed.map(({ entry, by }) => [entry.source, by.source]),
      [
        ['usrlocal', 'wf0'],
        ['usrremote', 'wf0'],
        ['workspace', 'wf0'],
        ['wf1', 'wf0'],
      ],
    );
  });

  it("ranks the user's own sources", () => {
    const winner = (...sources: string[]): unknown =>
      effectiveEntries(sources.flatMap((source) => entries(source, 'a'))).entries[0]?.source;
    assert.equal(winner('usrlocal', 'usrremote'), 'usrremote');
    assert.equal(winner('workspace', 'usrremote'), 'workspace');
    assert.equal(winner('workspace', 'wf5'), 'wf5');
  });
});
