import { webcrypto } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { isRecord, parseJson } from '../../base/json.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** The key that tokens are bound to, and its proofs (RFC 9449). One object serves one sign-in. */
export class DpopKey {
  readonly handle: oauth.DPoPHandle;
  /** The private key as JWK, to be kept with the tokens. */
  readonly serialized: string;

  private constructor(pair: oauth.CryptoKeyPair, serialized: string) {
    this.handle = oauth.DPoP({}, pair);
    this.serialized = serialized;
  }

  /** A new key. */
  static async generate(): Promise<DpopKey> {
    const pair = await oauth.generateKeyPair('ES256', { extractable: true });
    return new DpopKey(pair, JSON.stringify(await webcrypto.subtle.exportKey('jwk', pair.privateKey)));
  }

  /** Undefined where the text is no such key. */
  static async restore(serialized: string): Promise<DpopKey | undefined> {
    const parsed = parseJson(serialized);
    if (!parsed.ok || !isRecord(parsed.value)) return undefined;
    const { d: _private, key_ops: _operations, ...publicPart } = parsed.value;
    try {
      const privateKey = await webcrypto.subtle.importKey('jwk', parsed.value, ALGORITHM, true, ['sign']);
      const publicKey = await webcrypto.subtle.importKey('jwk', publicPart, ALGORITHM, true, ['verify']);
      return new DpopKey({ privateKey, publicKey }, serialized);
    } catch {
      // JSON, but no key of this kind: the tokens bound to it are of no use.
      return undefined;
    }
  }

  /** `Authorization` and a fresh proof for one request. */
  async headers(accessToken: string, method: string, url: string): Promise<Record<string, string>> {
    const headers = await this.#dryRun(accessToken, method, url);
    return { Authorization: headers.get('authorization') ?? '', DPoP: headers.get('dpop') ?? '' };
  }

  /** The next proofs for this origin carry the nonce. */
  async learnNonce(url: string, nonce: string): Promise<void> {
    await this.#dryRun('none', 'GET', url, nonce);
  }

  /** The library makes proofs only on its way to a request, which is caught here. */
  async #dryRun(accessToken: string, method: string, url: string, nonce?: string): Promise<Headers> {
    let headers = new Headers();
    await oauth.protectedResourceRequest(accessToken, method, new URL(url), undefined, null, {
      DPoP: this.handle,
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (_url, request) => {
        headers = new Headers(request.headers);
        return Promise.resolve(new Response(null, { headers: nonce === undefined ? {} : { 'DPoP-Nonce': nonce } }));
      },
    });
    return headers;
  }
}
