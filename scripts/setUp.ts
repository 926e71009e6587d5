/** `node scripts/run.mjs setUp.ts`: fetches what tests and the demo need, and ends. */
import { hostVersions } from '../test/support/host/hostServer.ts';
import { setUp } from './setUp/setUp.ts';

await setUp(hostVersions, (text) => process.stderr.write(`${text}\n`));
