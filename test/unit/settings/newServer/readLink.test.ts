import assert from 'node:assert/strict';
import { englishOf } from '../../../../src/settings/newServer/told.ts';
import { readAddQuery, readLink } from '../../../../src/settings/newServer/readLink.ts';

const entry = { command: 'npx', args: ['-y', 'ü & co'] };
const json = JSON.stringify(entry);

describe('an add link', () => {
  it('carries a server as JSON, as Base64 or field by field', () => {
    const queries = [
      encodeURIComponent(JSON.stringify({ name: 'a', ...entry })),
      `name=a&config=${encodeURIComponent(json)}`,
      `name=a&config=${Buffer.from(json).toString('base64')}`,
      `name=a&config=${Buffer.from(json).toString('base64url')}`,
      `name=a&command=npx&args=-y&args=${encodeURIComponent('ü & co')}`,
    ];
    for (const query of queries) {
      const link = readAddQuery(query);
      assert(link.kind === 'link', query);
      const { value } = link;
      assert.deepEqual(
        value,
        { ...(link.name === undefined && { name: 'a' }), ...entry, ...(query.includes('command=') && { env: {} }) },
        query,
      );
    }
    assert.deepEqual(
      readAddQuery('name=b&url=https%3A%2F%2Fx.example%2Fmcp%3Fa%3D1&type=http&header=X-Team%3A%20red'),
      {
        kind: 'link',
        name: 'b',
        value: { url: 'https://x.example/mcp?a=1', type: 'http', headers: { 'X-Team': 'red' } },
      },
    );
  });

  it('that is malformed says what is wrong', () => {
    const reason = (query: string): string => {
      const link = readAddQuery(query);
      return link.kind === 'problem' ? englishOf(link) : JSON.stringify(link);
    };
    assert.match(reason(''), /names no server/);
    assert.match(reason('name=a'), /names no server/);
    assert.match(reason('%E0%A4%A'), /"%"/);
    assert.match(reason('{"name":'), /no JSON/);
    assert.match(reason('name=a&config=%5B1%5D'), /must be a JSON object/);
    assert.match(reason('name=a&config=!!!'), /no JSON/);
    assert.match(reason('name=&url=https://x.example'), /"name" in the link is empty/);
    assert.match(reason('url=https://x.example&command=rm'), /both/);
    assert.match(reason(`config=${'a'.repeat(40_000)}`), /longer than/);
  });

  it('is told from any other address', () => {
    for (const text of [
      'https://x.example/mcp',
      'vscode://other.extension/add?url=x',
      'http://127.0.0.1/add?url=x',
      'npx thing',
      'https://vscode.dev/other',
    ]) {
      assert.equal(readLink(text), undefined, text);
    }
    assert.equal(readLink('vscode://mcp-agent.mcp-agent/add?url=https://x.example')?.kind, 'link');
    assert.equal(readLink('vscodium://mcp-agent.mcp-agent/add?url=https://x.example')?.kind, 'link');
  });
});
