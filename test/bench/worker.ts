// One measurement of one peer in a process of its own: `worker.ts <peer> <job as JSON>`; prints the figures as JSON.
import { measures, type Job } from './measures.ts';
import type { Peer } from './target.ts';

const [name = '', job = '{}'] = process.argv.slice(2);
const { peer }: { peer: Peer } = await import(`./peers/${name}.ts`);
const { measure, target, size }: Job = JSON.parse(job);
// Node loads these when they are first used, whoever uses them; a benchmark of libraries leaves that out.
await import('node:http');
const started = performance.now();
const connect = await peer.load();
const importMs = performance.now() - started;
const figures = await measures[measure]({ connect, importMs }, { measure, target, size });
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
