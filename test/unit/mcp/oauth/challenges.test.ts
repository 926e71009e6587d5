import assert from 'node:assert/strict';
import { parseChallenges, readOauthChallenge } from '../../../../src/mcp/oauth/challenges.ts';

describe('the WWW-Authenticate header', () => {
  for (const [header, expected] of [
    ['Bearer', [{ scheme: 'bearer', parameters: {} }]],
    ['Bearer realm="a, b", scope=read', [{ scheme: 'bearer', parameters: { realm: 'a, b', scope: 'read' } }]],
    ['bEaReR Scope="r w" , error = "x\\"y"', [{ scheme: 'bearer', parameters: { scope: 'r w', error: 'x"y' } }]],
    [
      'Basic realm="x", Bearer resource_metadata="https://a/b?c=d,e", DPoP algs="ES256"',
      [
        { scheme: 'basic', parameters: { realm: 'x' } },
        { scheme: 'bearer', parameters: { resource_metadata: 'https://a/b?c=d,e' } },
        { scheme: 'dpop', parameters: { algs: 'ES256' } },
      ],
    ],
    [
      'Negotiate, Bearer error="invalid_token"',
      [
        { scheme: 'negotiate', parameters: {} },
        { scheme: 'bearer', parameters: { error: 'invalid_token' } },
      ],
    ],
    [
      'NTLM TlRMTVNTUAAC==, Bearer scope="r"',
      [
        { scheme: 'ntlm', parameters: {} },
        { scheme: 'bearer', parameters: { scope: 'r' } },
      ],
    ],
    ['Bearer resource_metadata=https://a/b', [{ scheme: 'bearer', parameters: { resource_metadata: 'https://a/b' } }]],
    ['Bearer scope="a", scope="b"', [{ scheme: 'bearer', parameters: { scope: 'a' } }]],
    ['', []],
    ['=,;" "', []],
  ] as const) {
    it(`is taken apart: ${header || '(empty)'}`, () => {
      const seen = parseChallenges(header);
      assert.deepEqual(seen, expected);
    });
  }

  it('is read for OAuth: other schemes do not count', () => {
    const seen = readOauthChallenge('Basic scope="no", Bearer scope="r  w", error="insufficient_scope"');
    assert.deepEqual(seen.scopes, ['r', 'w']);
    assert.equal(seen.error, 'insufficient_scope');
    assert.equal(readOauthChallenge(undefined).scopes, undefined);
    assert.equal(readOauthChallenge('DPoP error="use_dpop_nonce"').dpopNonceNeeded, true);
  });

  it('of any length is read in no time', () => {
    const before = performance.now();
    parseChallenges('a'.repeat(50_000));
    parseChallenges('Bearer ' + 'a="b",'.repeat(10_000) + '"'.repeat(10_000));
    assert.ok(performance.now() - before < 2000);
  });
});
