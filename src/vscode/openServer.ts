import type { Tap } from '../base/tap.ts';
import type { Implementation } from '../mcp/schema.ts';
import type { OpenServer } from '../servers/serverConnection.ts';
import { withDemo } from './demoServer.ts';
import { RememberedVerdicts, type VerdictStorage } from './rememberedVerdicts.ts';
import type { ServerLogs } from './serverLogs.ts';
import { followNotices } from './serverMessages.ts';
import type { ServerQuestions } from './serverQuestions.ts';
import type { SignIns } from './signIns.ts';

/** What every session of this window is opened with. */
export interface OpenServerOptions {
  readonly tap: Tap;
  readonly clientInfo: Implementation;
  readonly logs: ServerLogs;
  readonly questions: ServerQuestions;
  readonly signIns: SignIns;
  /** Where to remember how servers speak. */
  readonly memory: VerdictStorage;
}

/** How this window opens a server: its questions are asked here, its sign-in is ours, what it says reaches its log. */
export function serverOpener({ tap, clientInfo, logs, questions, signIns, memory }: OpenServerOptions): OpenServer {
  const verdicts = new RememberedVerdicts(memory);
  return async (config, { signal, tidying }) => {
    // Whoever has no server reads nothing of the protocol.
    const { connect } = await import('../mcp/connect.ts');
    const asked = { ...questions.forServer(config), ...(await signIns.forServer(config)) };
    const client = await connect(withDemo(config), { signal, tidying, tap, clientInfo, verdicts, ...asked });
    followNotices(client, { server: config.name, logs, questions });
    return client;
  };
}
