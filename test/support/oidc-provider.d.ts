/** The part of `oidc-provider` that the tests use; the package brings no declarations. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Token {
    readonly isExpired: boolean;
    readonly aud?: string | string[];
    readonly scope?: string;
    destroy(): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    on(event: string, listener: (...args: unknown[]) => void): this;
    readonly AccessToken: { find(value: string): Promise<Token | undefined> };
  }
}
