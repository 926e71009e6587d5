/** The program of the demonstration: one JSON-RPC message a line on stdin, one a line on stdout (stdio transport). Ends with stdin. */
import { createInterface } from 'node:readline';
import { parseJson } from '../base/json.ts';
import { UsersServer } from './usersServer.ts';

const server = new UsersServer();

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  if (line.trim() === '') return;
  const parsed = parseJson(line);
  const answer = parsed.ok
    ? server.answer(parsed.value)
    : { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
