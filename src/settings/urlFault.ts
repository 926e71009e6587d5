/** What is wrong with the address of a server, or undefined. User info is not repeated: it may be a secret. */
export function urlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return explainBadUrl(text);
  const { protocol, hostname } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') {
    return hostname === '' ? 'The URL names no host.' : undefined;
  }
  if (/^[\w.-]+:\d{1,5}(\/|$)/.test(text)) return `The URL needs "http://" or "https://" in front.`;
  if (protocol === 'ws:' || protocol === 'wss:')
    return 'WebSocket addresses are not supported; give the http or https URL of the server.';
  return `The URL must begin with "http://" or "https://", not "${protocol}".`;
}

function explainBadUrl(text: string): string {
  if (/^[\w.-]+(:\d+)?(\/|$)/.test(text)) return `The URL needs "http://" or "https://" in front.`;
  return 'This is not a URL; it should look like "http://127.0.0.1:3000/mcp".';
}
