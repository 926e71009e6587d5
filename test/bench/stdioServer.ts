// The benchmark's server over stdio; its argument is the number of tools.
import { LineDecoder } from '../../src/base/lines.ts';
import { answerTo } from './answers.ts';

const tools = Number(process.argv[2] ?? 10);
const lines = new LineDecoder((line) => {
  const answer = answerTo(line, tools);
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
});
process.stdin.on('data', (chunk: Buffer) => lines.write(chunk));
process.stdin.on('end', () => process.exit(0));
