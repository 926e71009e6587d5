import tls from 'node:tls';

/** The certificates that a server's entry adds, together with those that are trusted anyway: `ca` in TLS options replaces all others. */
export function trustedCertificates(added: readonly string[]): string {
  // Node 22.15 and later also know the system's own.
  const known = typeof tls.getCACertificates === 'function' ? tls.getCACertificates('default') : tls.rootCertificates;
  return [...known, ...added].join('\n');
}
