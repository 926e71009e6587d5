import { domainToUnicode } from 'node:url';
import { asString, type JsonObject } from '../base/json.ts';
import { RpcError } from './errors.ts';
import { errorCode } from './jsonrpc.ts';

/** `elicitation/create` in URL mode: a page that the person should go to. */
export interface ElicitationPage {
  readonly message: string;
  /** The address as it will be opened. */
  readonly url: string;
  /** Host and port as they stand in the address. */
  readonly host: string;
  /** How the host reads where it is written in other letters, which may imitate another host. */
  readonly lookalike?: string;
  /** The page is not reached over TLS, and not on this machine. */
  readonly isUnprotected: boolean;
  readonly id?: string;
}

/** Throws an RpcError −32602 for anything but a web address without a password in it. */
export function readPage(params: JsonObject): ElicitationPage {
  const text = asString(params['url']) ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw invalid('the address is no web address');
  if (url.username !== '' || url.password !== '') throw invalid('the address holds a user name');
  const id = asString(params['elicitationId']);
  const shown = domainToUnicode(url.hostname);
  return {
    message: asString(params['message']) ?? '',
    url: url.href,
    host: url.host,
    ...(/(^|\.)xn--/i.test(url.hostname) && { lookalike: shown === '' ? url.hostname : shown }),
    isUnprotected: url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname),
    ...(id !== undefined && { id }),
  };
}

function invalid(reason: string): RpcError {
  return new RpcError(errorCode.invalidParams, `elicitation/create: ${reason}`);
}
