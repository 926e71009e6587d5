import assert from 'node:assert/strict';
import { Redactor } from '../../../src/wire/redactor.ts';

const SECRET = 'kQ7vZp2Lx9Tm4Rw8Bn6Yc1Hd';

/** Fails when any six characters in a row of `secret` can be read in `text`. */
function assertHidden(text: string, secret = SECRET): void {
  for (let start = 0; start + 6 <= secret.length; start += 1) {
    const part = secret.slice(start, start + 6);
    assert.ok(!text.includes(part), `"${part}" of the secret stands in: ${text}`);
  }
}

describe('Redactor', () => {
  const redactor = new Redactor();

  describe('headers', () => {
    const secretHeaders = [
      'Authorization',
      'authorization',
      'Proxy-Authorization',
      'Cookie',
      'X-Api-Key',
      'api-key',
      'x-goog-api-key',
      'X-Auth-Token',
      'Private-Token',
      'X-Company-Pass',
      'DPoP',
    ];
    for (const name of secretHeaders) {
      it(`the value of the request header ${name} is hidden and its name shown`, () => {
        const hidden = redactor.headers({ [name]: SECRET }, 'request');
        assert.deepEqual(Object.keys(hidden), [name]);
        assertHidden(JSON.stringify(hidden));
        assert.match(String(hidden[name]), /^\[redacted 24 chars #[0-9a-f]{4}\]$/);
      });
    }

    it('the scheme of a credential stays readable', () => {
      const { Authorization } = redactor.headers({ Authorization: `Bearer ${SECRET}` }, 'request');
      assert.match(String(Authorization), /^Bearer \[redacted 24 chars #[0-9a-f]{4}\]$/);
    });

    it('the session id is shortened to four characters', () => {
      const id = '3e19fbcd-51f4-4784-9f63-538c9a203859';
      const hidden = redactor.headers({ 'mcp-session-id': id }, 'response');
      assert.match(String(hidden['mcp-session-id']), /^\[session 3e19… #[0-9a-f]{4}\]$/);
      assertHidden(JSON.stringify(hidden), id);
    });

    it('a short session id is not shown at all', () => {
      const hidden = redactor.headers({ 'Mcp-Session-Id': 'abc1234' }, 'request');
      assert.match(String(hidden['Mcp-Session-Id']), /^\[session #[0-9a-f]{4}\]$/);
    });

    it('harmless headers stay as they are', () => {
      const headers = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        host: 'a:1',
      };
      assert.deepEqual(redactor.headers(headers, 'request'), headers);
    });

    it('cookies that a server sets are hidden, each of them, and known from then on', () => {
      const fresh = new Redactor();
      const hidden = fresh.headers({ 'set-cookie': [`sid=${SECRET}; Path=/`, 'theme=dark'] }, 'response');
      assertHidden(JSON.stringify(hidden));
      assertHidden(fresh.text(`the cookie was ${SECRET}`));
    });

    it('the challenge of a 401 can be read', () => {
      const value = 'Bearer realm="mcp", resource_metadata="http://127.0.0.1/.well-known/x", error="invalid_token"';
      assert.deepEqual(redactor.headers({ 'www-authenticate': value }, 'response'), { 'www-authenticate': value });
    });
  });

  describe('addresses', () => {
    it('user info is hidden in URLs and in texts that hold URLs', () => {
      assertHidden(redactor.url(`https://carson:${SECRET}@host/sse`));
      assertHidden(redactor.text(`could not reach https://carson:${SECRET}@host/sse: refused`));
    });

    for (const name of ['api_key', 'access_token', 'key', 't', 'sessionId', 'whatever']) {
      it(`the query field ${name} is hidden`, () => {
        const hidden = redactor.url(`http://127.0.0.1:8080/mcp?${name}=${SECRET}&page=2#top`);
        assertHidden(hidden);
        assert.match(hidden, new RegExp(`^http://127.0.0.1:8080/mcp\\?${name}=\\[.*\\]&page=2#top$`));
      });
    }

    it('query fields that page and filter can be read', () => {
      const url = 'http://127.0.0.1/mcp?page=2&limit=50&verbose=true&model=gpt-4o';
      assert.equal(redactor.url(url), url);
    });
  });

  describe('texts', () => {
    const carriers: Record<string, string> = {
      'a JSON member': `{"access_token":"${SECRET}","expires_in":3600}`,
      'a JSON member with blanks': `{ "clientSecret" : "${SECRET}" }`,
      'JSON inside JSON': JSON.stringify({ text: JSON.stringify({ api_key: SECRET, a: 1 }) }),
      'JSON inside JSON inside JSON': JSON.stringify({
        a: JSON.stringify({ text: JSON.stringify({ password: SECRET }) }),
      }),
      'an environment variable': `GITHUB_TOKEN=${SECRET}\nPATH=/bin`,
      'a command line': `server --api-key ${SECRET} --port 80`,
      'a command line with an equals sign': `server --token=${SECRET}`,
      'a header line': `> Authorization: Token ${SECRET}\r\n> Accept: */*`,
      'a bearer in prose': `refused Bearer ${SECRET} for this resource`,
      'a key of a known format': `Incorrect API key provided: sk-proj-${SECRET}.`,
      'a link': `see http://host/download?sig=${SECRET} now`,
      'a private key': `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
    };
    for (const [carrier, text] of Object.entries(carriers)) {
      it(`a secret in ${carrier} is hidden`, () => assertHidden(redactor.text(text)));
    }

    it('a value with escaped quotes is hidden to its end', () => {
      const value = `ab"${SECRET}\\"xy`;
      const hidden = redactor.text(JSON.stringify({ password: value, next: 'shown' }));
      assertHidden(hidden);
      assert.equal(JSON.parse(hidden).next, 'shown');
    });

    it('JSON stays JSON', () => {
      const text = JSON.stringify({ token: SECRET, nested: JSON.stringify({ secret: SECRET }), list: [1, 'two'] });
      const parsed = JSON.parse(redactor.text(text));
      assert.deepEqual(parsed.list, [1, 'two']);
      assert.match(JSON.parse(parsed.nested).secret, /^\[redacted/);
    });

    it('numeric codes, progress tokens and token counts survive', () => {
      const text = JSON.stringify({
        error: { code: -32_601, message: 'Method not found' },
        params: { _meta: { progressToken: 'progress-token-17' } },
        usage: { prompt_tokens: 120, completion_tokens: 7 },
        token_type: 'Bearer',
        nextPageToken: 'page-two-of-the-list',
        authorization_endpoint: 'https://as.example/authorize',
        properties: { password: { type: 'string', description: 'a password' } },
        required: ['password'],
      });
      assert.equal(redactor.text(text), text);
    });

    it('markup, control characters and other scripts are left alone', () => {
      const text = '<img src=x onerror=alert(1)> & </script> \u001b[31mred\u001b[0m 北京 – café 🌍';
      assert.equal(redactor.text(text), text);
    });

    it('prose about schemes stays prose', () => {
      const text = 'Basic authentication is off; Bearer tokens are needed.';
      assert.equal(redactor.text(text), text);
    });

    it('form fields of OAuth are hidden', () => {
      const form = `grant_type=authorization_code&code=${SECRET}&code_verifier=${SECRET}&client_secret=${SECRET}`;
      const hidden = redactor.body(form, 'application/x-www-form-urlencoded;charset=UTF-8');
      assertHidden(hidden);
      assert.match(hidden, /^grant_type=authorization_code&code=\[/);
    });
  });

  describe('known values', () => {
    const known = new Redactor();
    const value = 'pa"ss/wörd+9 & Zx81';
    known.addSecret(value);

    const spellings: Record<string, string> = {
      plain: value,
      JSON: JSON.stringify({ a: value }),
      'JSON inside JSON': JSON.stringify({ a: JSON.stringify({ b: value }) }),
      'a URL': `http://h/${encodeURIComponent(value)}`,
      'a form': new URLSearchParams({ a: value }).toString(),
      Base64: Buffer.from(value).toString('base64'),
    };
    for (const [spelling, text] of Object.entries(spellings)) {
      it(`is found in ${spelling}`, () => {
        const hidden = known.text(text);
        assert.match(hidden, /\[redacted \d+ chars #/);
        assertHidden(hidden, value);
      });
    }

    it('is hidden where an error shows only its beginning and end', () => {
      const other = new Redactor();
      other.addSecret(SECRET);
      assertHidden(other.message(`Incorrect key: ${SECRET.slice(0, 9)}***${SECRET.slice(-9)}`));
    });

    it('learned from a header, is hidden in bodies from then on', () => {
      const learning = new Redactor();
      learning.headers({ 'x-custom': SECRET }, 'request');
      assertHidden(learning.text(`{"echo":"${SECRET}"}`));
    });

    it('equal secrets have equal marks, and another window other ones', () => {
      const one = new Redactor();
      const mark = one.headers({ cookie: SECRET }, 'request').cookie;
      assert.equal(one.headers({ 'x-api-key': SECRET }, 'request')['x-api-key'], mark);
      const others = Array.from({ length: 4 }, () => new Redactor().headers({ cookie: SECRET }, 'request').cookie);
      assert.ok(others.some((other) => other !== mark));
    });

    it('words shorter than six characters are not hunted for', () => {
      const short = new Redactor();
      short.addSecret('8080');
      assert.equal(short.text('port 8080'), 'port 8080');
    });
  });
});
