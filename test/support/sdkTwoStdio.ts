/** The server of `sdkTwoServer.ts` on stdin and stdout; `modern` refuses what is not of the stateless revision. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { newSdkTwoServer } from './sdkTwoServer.ts';

serveStdio(() => newSdkTwoServer(), process.argv.includes('modern') ? { legacy: 'reject' } : {});
