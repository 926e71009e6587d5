import assert from 'node:assert/strict';
import type { ModelTool } from '../../../src/model/chatModel.ts';
import { play, tool } from './playConversation.ts';

const S = { type: 'string' };
const contactAdd: ModelTool = {
  name: 'crm-contacts-add',
  description: 'Add a contact',
  inputSchema: {
    type: 'object',
    properties: { contact: { $ref: '#/$defs/Contact' } },
    required: ['contact'],
    $defs: { Contact: { type: 'object', properties: { name: S, email: S }, required: ['name', 'email'] } },
  },
};
const arg0 = {
  type: 'object',
  properties: { email: S, name: S },
  required: ['email', 'name'],
  description: 'user to add',
};
const servers: Readonly<Record<string, readonly ModelTool[]>> = {
  capture: [
    tool('bb7_getUsers', 'Get all users'),
    tool('bb7_addUser', 'Add a new user', { arg0 }),
    tool('bb7_deleteUser', 'Delete a user', { arg0: { type: 'string', description: 'email' } }),
    tool('bb7_getUser', 'Get a user by name', { arg0: { type: 'string', description: 'name of the user' } }),
  ],
  people: [
    tool('list_people', 'Lists everybody'),
    tool('create_person', 'Creates a person', { name: S, email: S }),
    tool('remove_person', 'Removes a person', { email: S }),
    tool('get_person', 'Looks one person up', { email: S }),
  ],
  search: [
    tool('users_search', 'Search users', { query: S }),
    tool(
      'users_create',
      'Create a user',
      {
        fullName: S,
        emailAddress: { type: 'string', format: 'email' },
        role: { type: 'string', enum: ['admin', 'member'], default: 'member' },
      },
      ['role'],
    ),
    tool('users_delete', 'Delete a user', { id: S }),
  ],
  nodesc: [
    tool('UserList', ''),
    tool('UserInsert', '', {
      user: { type: 'object', properties: { name: S, email: S }, required: ['name', 'email'] },
    }),
    tool('UserRemove', '', { email: S }),
  ],
  contacts: [
    tool('crm-contacts-list', 'Return the contacts', { limit: { type: 'integer', default: 50 } }, ['limit']),
    contactAdd,
    tool('crm-notes-add', 'Add a note', { text: S }),
  ],
  zh: [
    tool('query_users', '查询用户列表'),
    tool('add_user', '新增用户', {
      name: { type: 'string', description: '姓名' },
      email: { type: 'string', description: '邮箱' },
    }),
    tool('del_user', '删除用户', { email: S }),
  ],
};
const tasks = [
  'First, help me check the user list to see if there is a user named Carson. If not, add a new user: Carson carson@example.com; then check the list again to see if the new user was added successfully. Finally, say hello to Carson.',
  '首先，帮我查看用户列表，看看是否有名为Carson的用户。如果没有，就添加一个新用户：Carson carson@example.com；然后再次检查列表，确认新用户是否添加成功。最后，向Carson问好。',
  '先帮我查一下用户列表里有没有叫 Carson 的用户，如果没有就新增一个用户 Carson，邮箱 carson@example.com，然后再查一下列表看看是否添加成功，最后跟 Carson 打个招呼。',
  '请先检查用户列表中是否存在名为 Carson 的用户；若不存在，则新增用户：Carson carson@example.com；接着再次查看列表以确认新用户已成功添加；最后向 Carson 问好',
  'Check whether a user called Carson exists; if not, create one (name: Carson, email: carson@example.com), verify that it was added and greet Carson.',
  'Please look at the users. If nobody is named Carson, add Carson with email carson@example.com. After that list the users again and tell me if Carson was added. Lastly greet Carson.',
  'Is there a user named Carson? If not, add him: carson@example.com. Then check again and say hi to Carson.',
  'List the users, add Carson <carson@example.com> unless he is already there, list the users again, and say hello to Carson',
  '1. Check the user list for Carson\n2. If Carson is missing, add user Carson carson@example.com\n3. Check the list again\n4. Say hello to Carson',
  'If there is no user named Carson, add one: Carson carson@example.com. Then say hello to Carson.',
];

interface User {
  readonly name: string;
  readonly email: string;
}

const looks = /list|getUsers|search|query/i;
const adds = /add|create|insert/i;

/** A server that keeps users, whatever its tools are called. */
function userServer(users: User[]): (name: string, args: Record<string, unknown>) => string {
  return (name, args) => {
    if (looks.test(name))
      return JSON.stringify(
        users.filter((user) => user.name.includes(typeof args.query === 'string' ? args.query : '')),
      );
    if (!adds.test(name)) throw new Error(`${name} was never asked for`);
    const text = JSON.stringify(args);
    users.push({
      name: text.includes('"Carson"') ? 'Carson' : '?',
      email: text.includes('"carson@example.com"') ? 'carson@example.com' : '?',
    });
    return 'ok';
  };
}

/** Where a search insists on a query and the person gives none, asking is right. */
const asksForQuery = [5, 7];

for (const [server, tools] of Object.entries(servers)) {
  describe(`the captured task with the tools of ${server}`, () => {
    for (const [index, task] of tasks.entries()) {
      if (server === 'search' && asksForQuery.includes(index)) continue;
      it(`adds who is missing: ${task}`, async () => {
        const users = [{ name: 'John', email: 'john@example.com' }];
        const { calls, text } = await play(task, tools, userServer(users));
        const kinds = calls.map(([name]) => (looks.test(name) ? 'look' : 'add'));
        assert.deepEqual(kinds, index === tasks.length - 1 ? ['look', 'add'] : ['look', 'add', 'look'], text);
        assert.deepEqual(users[1], { name: 'Carson', email: 'carson@example.com' });
        assert.match(text, /Hello, Carson!|你好，Carson！/);
      });

      it(`adds nobody who is there: ${task}`, async () => {
        const users = [{ name: 'Carson', email: 'carson@old.example' }];
        const { calls, text } = await play(task, tools, userServer(users));
        assert.ok(calls.length > 0 && calls.every(([name]) => looks.test(name)), text);
        assert.match(text, /Hello, Carson!|你好，Carson！/);
      });
    }
  });
}

describe('the captured task to the letter', () => {
  for (const task of tasks.slice(0, 2)) {
    it(`calls getUsers, addUser and getUsers: ${task}`, async () => {
      const { calls } = await play(
        task,
        servers.capture ?? [],
        userServer([{ name: 'John', email: 'john@example.com' }]),
      );
      assert.deepEqual(calls, [
        ['bb7_getUsers', {}],
        ['bb7_addUser', { arg0: { name: 'Carson', email: 'carson@example.com' } }],
        ['bb7_getUsers', {}],
      ]);
    });
  }
});
