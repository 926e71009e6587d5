import assert from 'node:assert/strict';
import { splitSteps } from '../../../src/model/planner/splitSteps.ts';

/** Each step as "condition? action [question]". */
function outline(request: string): string[] {
  return splitSteps(request).map(({ action, question, condition }) => {
    const when =
      condition === undefined ? '' : `${condition.kind}${'text' in condition ? `(${condition.text})` : ''}? `;
    return `${when}${action}${question === undefined ? '' : ` [${question}]`}`;
  });
}

const cases: readonly (readonly [request: string, steps: readonly string[]])[] = [
  ['List users. Then add Bob; finally say hello to Bob', ['List users', 'add Bob', 'say hello to Bob']],
  ['1. list files\n2) read a.txt\n- delete b.txt', ['list files', 'read a.txt', 'delete b.txt']],
  [
    'write "one; two. and then three" to out.txt and read it',
    ['write "one; two. and then three" to out.txt', 'read it'],
  ],
  [
    'create it with {"a": "x; y", "then": [1, 2]}; list all',
    ['create it with {"a": "x; y", "then": [1, 2]}', 'list all'],
  ],
  [
    'mail carson@example.com. Open https://a.b/c.d?then=1. Done',
    ['mail carson@example.com', 'Open https://a.b/c.d?then=1', 'Done'],
  ],
  ['search for files and directories matching *.ts', ['search for files and directories matching *.ts']],
  ['Ask Dr. Smith, e.g. by mail', ['Ask Dr. Smith, e.g. by mail']],
  ['Get user 9. If it fails, list the users.', ['Get user 9', 'if(it fails)? list the users']],
  ['check the list to see if Bob is there', ['check the list [Bob is there]']],
  ['If there are none, add Bob, otherwise delete Bob', ['not? add Bob', 'else? delete Bob']],
  ['add Bob unless he exists', ['unless(he exists)? add Bob']],
  ['If it is raining then close the window', ['if(it is raining)? close the window']],
  ['if there is no user named Bob add him', ['if(there is no user named Bob)? add him']],
  ['先查看用户，然后添加张三；最后向张三问好', ['查看用户', '添加张三', '向张三问好']],
  [
    '查看列表，看看是否有张三。如果没有，就添加张三，否则删除张三',
    ['查看列表 [是否有张三]', 'not? 添加张三', 'else? 删除张三'],
  ],
  ['如果超过三个用户就删除张三', ['if(超过三个用户)? 删除张三']],
  ['把“先写，然后读；最后删”写入 a.txt，再读取它', ['把“先写，然后读；最后删”写入 a.txt', '读取它']],
];

describe('splitSteps', () => {
  for (const [request, steps] of cases) {
    it(JSON.stringify(request), () => assert.deepEqual(outline(request), steps));
  }

  it('marks what is to be done again and what shares a condition', () => {
    const [, second, third] = splitSteps('List users. If not, add Bob and delete Ann. Check the list again.');
    assert.equal(second?.condition?.kind, 'not');
    assert.equal(third?.joined, true);
    assert.equal(splitSteps('Check the list again')[0]?.again, true);
    assert.equal(splitSteps('再次查看列表')[0]?.again, true);
  });

  it('reads a long request in reasonable time', () => {
    for (const part of ['如果', 'and add ', 'a.', 'x', '1. ', '[{"x": ', 'named ', '，看']) {
      const started = process.cpuUsage();
      splitSteps(part.repeat(10_000 / part.length));
      const { user } = process.cpuUsage(started);
      assert.ok(user < 2_000_000, `${part}: ${user} µs`);
    }
  });
});
