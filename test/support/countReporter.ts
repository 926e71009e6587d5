/**
 * Mocha's `spec` reporter, which also writes the counts as JSON to the file that `MCP_AGENT_COUNTS` names, for the sum
 * over several runs.
 */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export default class CountReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const file = process.env['MCP_AGENT_COUNTS'];
      const { passes, failures, pending } = this.stats;
      if (file !== undefined) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, pending }));
    });
  }
}
