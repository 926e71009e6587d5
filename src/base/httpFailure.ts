import { HttpError } from './httpContract.ts';

/** What an error of node:http means, in words that name the address and the cause. `shown`: which certificate the other side has, as a sentence. */
export function explainHttpFailure(error: unknown, url: URL, shown?: string): HttpError {
  const facts = factsOf(error);
  const place = url.port === '' ? url.hostname : url.host;
  const certificate = certificateProblem(facts.code, url.hostname);
  if (certificate) {
    const text = `the certificate of ${place} is not trusted: ${certificate} (${facts.code})${shown === undefined ? '' : `. ${shown}`}`;
    return new HttpError('certificate', text, { sent: false, cause: error });
  }
  const reason = connectProblem(facts, place);
  if (reason) return new HttpError('unreachable', `cannot reach ${place}: ${reason}`, { sent: false, cause: error });
  return new HttpError('broken', `the connection to ${place} broke: ${brokenProblem(facts)}`, {
    sent: !writeFailed(facts),
    cause: error,
  });
}

interface Facts {
  readonly code: string;
  readonly syscall: string;
  readonly message: string;
}

function factsOf(error: unknown): Facts {
  if (!(error instanceof Error)) return { code: '', syscall: '', message: String(error) };
  const inner = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return {
    code: member(error, 'code') || member(inner, 'code'),
    syscall: member(inner, 'syscall'),
    message: inner.message,
  };
}

function member(error: Error, name: 'code' | 'syscall'): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in a self-signed certificate that is not installed here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the server does not send the certificate of its issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known here',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_UNTRUSTED: 'its issuer is not trusted here',
  HOSTNAME_MISMATCH: 'it was issued for another host name',
};

function certificateProblem(code: string, host: string): string | undefined {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `it was issued for other host names than ${host}`;
  return certificateProblems[code] ?? (code.startsWith('CERT_') ? 'it does not pass verification' : undefined);
}

const connectProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host name',
  EAI_AGAIN: 'the name service does not answer',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network is unreachable',
  EADDRNOTAVAIL: 'no local address is free',
};

function connectProblem({ code, syscall, message }: Facts, place: string): string | undefined {
  const known = connectProblems[code];
  if (known) return `${known} (${code})`;
  if (syscall === 'connect' || syscall.startsWith('getaddrinfo')) return code || message;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return `no TLS is spoken on ${place}, perhaps http:// is meant (${code})`;
  if (message.includes('before secure TLS connection')) return `it hung up during the TLS handshake (${code})`;
  if (code.startsWith('ERR_INVALID_') || code === 'ERR_UNESCAPED_CHARACTERS') return message;
  return undefined;
}

function brokenProblem({ code, message }: Facts): string {
  if (code.startsWith('HPE_')) return `the answer is no valid HTTP (${code})`;
  if (code === 'ECONNRESET' || message === 'aborted') return 'the other side hung up (ECONNRESET)';
  if (code === 'ETIMEDOUT') return 'the other side no longer answers (ETIMEDOUT)';
  if (code === 'Z_BUF_ERROR') return 'the compressed body is cut short (Z_BUF_ERROR)';
  if (code.startsWith('Z_') || code.startsWith('ERR_') || code === '') return `${message}${code && ` (${code})`}`;
  return `${code}${message.includes(code) ? '' : `: ${message}`}`;
}

/** The system refused the last bytes of the request, so the peer never had it whole. */
function writeFailed({ code, syscall }: Facts): boolean {
  return syscall === 'write' && (code === 'EPIPE' || code === 'ECONNRESET');
}
