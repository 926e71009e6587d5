// `node test/bench/agent.ts` — what the agent itself costs: bytes, the share that an endpoint's cache knows, own time a step, ten thousand tools.
import { longTask, tenThousandTools, type AgentRow } from './agentTasks.ts';

const rows: AgentRow[] = [];
for (const window of [128_000, 32_000, 8000]) rows.push(...(await longTask(window)));
rows.push(...(await tenThousandTools()));
const width = Math.max(...rows.map(({ what }) => what.length));
for (const { what, value, holds } of rows) {
  const verdict = holds === undefined ? '' : holds ? '  holds' : '  DOES NOT HOLD';
  console.log(`${what.padEnd(width)}  ${value}${verdict}`);
}
