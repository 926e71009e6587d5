import type { ClientRequest } from 'node:http';
import { TLSSocket, type PeerCertificate } from 'node:tls';

/** What the other side showed, kept until its request is gone: a refused connection forgets it. */
const shown = new WeakMap<ClientRequest, PeerCertificate>();

/** Characters of a name that is repeated: a stranger chose it. */
const longestName = 120;

/** Looks at the certificate before node:tls judges it. Call it before the request has a socket. */
export function watchCertificate(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!(socket instanceof TLSSocket) || !socket.connecting) return;
    socket.prependOnceListener('secure', () => {
      const certificate = socket.getPeerCertificate();
      // Without one it is null or an empty object, whatever the types say.
      if (certificate?.subject !== undefined) shown.set(request, certificate);
    });
  });
}

/** Subject, issuer, validity and fingerprint of the certificate that a request met, in a sentence. */
export function certificateText(request: ClientRequest | undefined): string | undefined {
  const certificate = request && shown.get(request);
  if (certificate === undefined) return undefined;
  const { subject, issuer, valid_from, valid_to, fingerprint256, subjectaltname } = certificate;
  const names = subjectaltname === undefined ? '' : ` (for ${clean(subjectaltname)})`;
  return `It is that of ${nameText(subject)}${names}, issued by ${nameText(issuer)}, valid from ${day(valid_from)} to ${day(valid_to)}, SHA-256 ${fingerprint256}.`;
}

function nameText(name: object): string {
  const parts = Object.entries(name).map(([key, value]) => `${key}=${String(value)}`);
  return parts.length === 0 ? 'nobody' : clean(parts.join(', '));
}

function clean(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ');
  return line.length > longestName ? `${line.slice(0, longestName)}…` : line;
}

/** `Dec  1 09:09:11 2026 GMT` → `2026-12-01`. */
function day(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? clean(text) : time.toISOString().slice(0, 10);
}
