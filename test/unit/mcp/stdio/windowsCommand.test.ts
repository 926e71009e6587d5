import assert from 'node:assert/strict';
import { planWindowsCommand, type SpawnPlan } from '../../../../src/mcp/stdio/windowsCommand.ts';
import { runBatchFile } from '../../../support/commandPrompt.ts';

const files = new Set([
  'C:\\Program Files\\nodejs\\npx',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\x y\\run.cmd',
  'C:\\100%PATH%\\run.bat',
  'C:\\here\\npx.cmd',
  'C:\\here\\tools\\start.cmd',
  'C:\\tools\\start.exe',
]);

const env = {
  Path: '"C:\\Program Files\\nodejs";relative;;C:\\tools',
  PATHEXT: '.COM;.EXE;.BAT;.CMD',
  ComSpec: 'C:\\Windows\\System32\\cmd.exe',
};

function plan(command: string, ...args: string[]): SpawnPlan {
  return planWindowsCommand(command, args, {
    env,
    cwd: 'C:\\here',
    isFile: (path) => [...files].some((file) => file.toLowerCase() === path.toLowerCase()),
  });
}

describe('planWindowsCommand', () => {
  it('starts programs directly', () => {
    assert.deepEqual(plan('node', 'a b', '&'), {
      file: 'C:\\Program Files\\nodejs\\node.exe',
      args: ['a b', '&'],
      verbatim: false,
    });
    assert.deepEqual(plan('C:/tools/start', 'x'), { file: 'C:\\tools\\start.exe', args: ['x'], verbatim: false });
  });

  it('finds npx as the batch file that it is, and starts it through cmd.exe', () => {
    for (const command of ['npx', 'npx.cmd', 'NPX.CMD', 'C:\\Program Files\\nodejs\\npx']) {
      const { file, args, verbatim } = plan(command, '-y', 'server');
      assert.deepEqual([file, verbatim], ['C:\\Windows\\System32\\cmd.exe', true]);
      const ran = runBatchFile(args, {});
      assert.deepEqual([ran.file.toLowerCase(), ran.words], ['c:\\program files\\nodejs\\npx.cmd', ['-y', 'server']]);
    }
  });

  it('lets arguments of every kind arrive literally', () => {
    const args = [
      '',
      'plain',
      'a b',
      '"',
      '""',
      'say "hi" & calc',
      '" & calc & "',
      '&',
      '&& calc',
      '|',
      '>file',
      '<file',
      '^',
      '^&',
      '!PATH!',
      '%PATH%',
      '%',
      '%%',
      '100%',
      '%PATH%%PATH%',
      '%cd:~,%',
      '%PATH:~0,1%',
      '(a)',
      'C:\\x\\',
      'C:\\x y\\',
      '\\"',
      'a\\\\"b',
      '{"json":"%PATH% & \\"x\\""}',
      'ключ 😀',
      '@x',
      ';,=',
      "it's",
    ];
    const secrets = { PATH: 'LEAKED', CD: 'LEAKED' };
    assert.deepEqual(runBatchFile(plan('npx', ...args).args, secrets).words, args);
    for (const arg of args) assert.deepEqual(runBatchFile(plan('npx', arg, 'x').args, secrets).words, [arg, 'x']);
  });

  it('starts batch files whose own path holds blanks and signs', () => {
    for (const file of ['C:\\Program Files\\x y\\run.cmd', 'C:\\100%PATH%\\run.bat']) {
      const ran = runBatchFile(plan(file, 'a').args, { PATH: 'LEAKED' });
      assert.deepEqual([ran.file, ran.words], [file, ['a']]);
    }
    assert.equal(runBatchFile(plan('tools\\start.cmd').args, {}).file, 'C:\\here\\tools\\start.cmd');
    assert.equal(runBatchFile(plan('.\\tools\\start').args, {}).file, 'C:\\here\\tools\\start.cmd');
  });

  it('does not take a program from the working folder that was named without one', () => {
    assert.equal(runBatchFile(plan('npx').args, {}).file.toLowerCase(), 'c:\\program files\\nodejs\\npx.cmd');
  });

  it('leaves what it does not find as it is, for the system to refuse', () => {
    assert.deepEqual(plan('nothing', 'x'), { file: 'nothing', args: ['x'], verbatim: false });
  });

  it('refuses a line break for a batch file, which nothing can carry', () => {
    assert.throws(() => plan('npx', 'a\nb'), { code: 'process', message: /line break/ });
    assert.deepEqual(plan('node', 'a\nb').args, ['a\nb']);
  });
});
