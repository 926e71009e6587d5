/**
 * Mocha's `spec` reporter, which also writes the counts as JSON to the file that `MCP_AGENT_COUNTS` names, for the sum
 * over several runs, and names the tests that passed only when they were tried again.
 */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export default class CountReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const retried: string[] = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, (test) => retried.push(test.fullTitle()));
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const file = process.env['MCP_AGENT_COUNTS'];
      const { passes, failures, pending } = this.stats;
      if (retried.length > 0) process.stdout.write(`  tried again: ${retried.join('; ')}\n\n`);
      if (file !== undefined) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, pending }));
    });
  }
}
