import assert from 'node:assert/strict';
import type { ModelTool } from '../../../src/model/chatModel.ts';
import { weather, git, sql, cal, home, slack, gh, shop, web, mail, todo } from './madeUpServers.ts';
import { play, type Run } from './playConversation.ts';

const J = JSON.stringify;
type Case = readonly [tools: readonly ModelTool[], request: string, calls: readonly unknown[], run?: Run];

const cases: readonly Case[] = [
  [weather, "What's the weather in Paris?", [['get_current_weather', { city: 'Paris' }]]],
  [weather, 'what is the current weather in new york', [['get_current_weather', { city: 'new york' }]]],
  [weather, 'Get the forecast for Berlin for 3 days', [['get_forecast', { city: 'Berlin', days: 3 }]]],
  [
    weather,
    'Show the weather in London in metric units',
    [['get_current_weather', { city: 'London', units: 'metric' }]],
  ],
  [weather, '北京天气怎么样？', [['get_current_weather', { city: '北京' }]]],
  [weather, '查询上海未来5天的天气预报', [['get_forecast', { city: '上海', days: 5 }]]],
  [
    weather,
    'Get the weather for Paris and London',
    [
      ['get_current_weather', { city: 'Paris' }],
      ['get_current_weather', { city: 'London' }],
    ],
  ],
  [weather, 'Are there any weather alerts for CA?', [['get_alerts', { state: 'CA' }]]],
  [git, 'Show the git status of /home/me/project', [['git_status', { repo_path: '/home/me/project' }]]],
  [git, 'Show the last 5 commits of /home/me/project', [['git_log', { repo_path: '/home/me/project', max_count: 5 }]]],
  [
    git,
    'Commit the changes in /home/me/project with the message "fix: typo"',
    [['git_commit', { repo_path: '/home/me/project', message: 'fix: typo' }]],
  ],
  [
    git,
    'Create a branch feature-login in /home/me/project',
    [['git_create_branch', { repo_path: '/home/me/project', branch_name: 'feature-login' }]],
  ],
  [
    git,
    'create a new branch called hotfix from main in /repo',
    [['git_create_branch', { repo_path: '/repo', branch_name: 'hotfix', base_branch: 'main' }]],
  ],
  [
    git,
    '在 /repo 中查看状态，如果有改动就提交，message 为 "wip"',
    [
      ['git_status', { repo_path: '/repo' }],
      ['git_commit', { repo_path: '/repo', message: 'wip' }],
    ],
    (n) => (n === 'git_status' ? 'modified: a.txt' : 'ok'),
  ],
  [sql, 'List the tables', [['list_tables', {}]]],
  [sql, 'Describe the table users', [['describe_table', { table_name: 'users' }]]],
  [
    sql,
    'Run the query SELECT * FROM users WHERE age > 30',
    [['read_query', { query: 'SELECT * FROM users WHERE age > 30' }]],
  ],
  [
    sql,
    "Execute INSERT INTO users (name) VALUES ('Bob'), then run SELECT * FROM users",
    [
      ['write_query', { query: "INSERT INTO users (name) VALUES ('Bob')" }],
      ['read_query', { query: 'SELECT * FROM users' }],
    ],
  ],
  [
    sql,
    '列出所有表，然后查看 users 表的结构',
    [
      ['list_tables', {}],
      ['describe_table', { table_name: 'users' }],
    ],
  ],
  [cal, 'List my events from 2026-01-01 to 2026-01-31', [['listEvents', { start: '2026-01-01', end: '2026-01-31' }]]],
  [
    cal,
    'Create an event titled "Team Lunch" on 2026-02-03 with attendees ann@x.com and bob@x.com',
    [['createEvent', { title: 'Team Lunch', date: '2026-02-03', attendees: ['ann@x.com', 'bob@x.com'] }]],
  ],
  [cal, 'Delete the event with id evt_42', [['deleteEvent', { eventId: 'evt_42' }]]],
  [
    cal,
    'List my events, then delete the first one',
    [
      ['listEvents', {}],
      ['deleteEvent', { eventId: 'e1' }],
    ],
    (n) =>
      n === 'listEvents'
        ? J([
            { id: 'e1', title: 'A' },
            { id: 'e2', title: 'B' },
          ])
        : 'ok',
  ],
  [home, 'Turn on the light in the kitchen', [['set_light', { room: 'kitchen', state: 'on' }]]],
  [home, 'turn off the bedroom light', [['set_light', { room: 'bedroom', state: 'off' }]]],
  [
    home,
    'Check the temperature in the living room; if it is below 18, set the thermostat of the living room to 21',
    [
      ['get_temperature', { room: 'living room' }],
      ['set_thermostat', { room: 'living room', temperature: 21 }],
    ],
    (n) => (n === 'get_temperature' ? J({ room: 'living room', temperature: 16.5 }) : 'ok'),
  ],
  [
    home,
    'Check the temperature in the living room; if it is below 18, set the thermostat of the living room to 21',
    [['get_temperature', { room: 'living room' }]],
    (n) => (n === 'get_temperature' ? J({ room: 'living room', temperature: 19 }) : 'ok'),
  ],
  [home, '把厨房的灯打开', [['set_light', { room: '厨房', state: 'on' }]]],
  [home, '关闭卧室的灯', [['set_light', { room: '卧室', state: 'off' }]]],
  [home, 'Lock the front door', [['lock_door', { door: 'front', locked: true }]]],
  [home, 'Unlock the front door', [['lock_door', { door: 'front', locked: false }]]],
  [
    home,
    'Dim the light in the office: state=on brightness=30',
    [['set_light', { room: 'office', state: 'on', brightness: 30 }]],
  ],
  [
    slack,
    'Post "Deployed!" to the channel general',
    [['slack_post_message', { channel: 'general', text: 'Deployed!' }]],
  ],
  [
    slack,
    'List the channels and then post "hi" to the first channel',
    [
      ['slack_list_channels', {}],
      ['slack_post_message', { channel: 'general', text: 'hi' }],
    ],
    (n) => (n === 'slack_list_channels' ? J({ channels: [{ id: 'C1', channel: 'general' }] }) : 'ok'),
  ],
  [
    gh,
    'Create an issue in repo octo/hello titled "Bug in login" with body "It fails"',
    [['create_issue', { owner: 'octo', repo: 'hello', title: 'Bug in login', body: 'It fails' }]],
  ],
  [
    gh,
    'List open issues of owner octo and repo hello',
    [['list_issues', { owner: 'octo', repo: 'hello', state: 'open' }]],
  ],
  [gh, 'Search repositories for mcp inspector', [['search_repositories', { query: 'mcp inspector' }]]],
  [
    gh,
    'Close issue 12 in owner=octo repo=hello',
    [['close_issue', { owner: 'octo', repo: 'hello', issue_number: 12 }]],
  ],
  [shop, 'Show me product 7', [['get_product', { id: 7 }]]],
  [shop, 'Show all products', [['list_products', {}]]],
  [shop, 'Order 3 of product 7', [['create_order', { productId: 7, quantity: 3 }]]],
  [shop, 'Create an order with productId 7 and quantity 3', [['create_order', { productId: 7, quantity: 3 }]]],
  [
    shop,
    'List the products. If there are fewer than 2, list the orders',
    [['list_products', {}]],
    () => J([{ id: 1 }, { id: 2 }]),
  ],
  [
    shop,
    'List the products. If there are more than 1, list the orders',
    [
      ['list_products', {}],
      ['list_orders', {}],
    ],
    () => J([{ id: 1 }, { id: 2 }]),
  ],
  [shop, 'cancel order A-17', [['cancel_order', { orderId: 'A-17' }]]],
  [shop, 'How many orders are there?', [['list_orders', {}]]],
  [web, 'Fetch https://example.com/page', [['fetch', { url: 'https://example.com/page' }]]],
  [web, 'What time is it in Europe/Berlin?', [['get_current_time', { timezone: 'Europe/Berlin' }]]],
  [web, 'Translate "good morning" to French', [['translate', { text: 'good morning', target_language: 'French' }]]],
  [web, '抓取 https://example.com 的内容', [['fetch', { url: 'https://example.com' }]]],
  [
    mail,
    'Send an email to ann@x.com with subject "Hi" and body "See you at 5; ok?"',
    [['send_email', { to: 'ann@x.com', subject: 'Hi', body: 'See you at 5; ok?' }]],
  ],
  [mail, 'Search my emails for invoice', [['search_emails', { query: 'invoice' }]]],
  [mail, 'Add a contact Ann Lee ann@x.com', [['create_contact', { name: 'Ann Lee', email: 'ann@x.com' }]]],
  [
    mail,
    'If there is no contact named Ann, create one: Ann ann@x.com',
    [
      ['list_contacts', {}],
      ['create_contact', { name: 'Ann', email: 'ann@x.com' }],
    ],
    (n) => (n === 'list_contacts' ? '[]' : 'ok'),
  ],
  [mail, 'Say hello to Carson', [['say_hello', { name: 'Carson' }]]],
  [mail, '新增联系人张三，邮箱 zhang@x.com', [['create_contact', { name: '张三', email: 'zhang@x.com' }]]],
  [todo, 'Add a todo: buy milk and eggs', [['add_todo', { text: 'buy milk and eggs' }]]],
  [todo, 'add todo buy milk', [['add_todo', { text: 'buy milk' }]]],
  [
    todo,
    'Show my todos and mark the todo 3 as done',
    [
      ['list_todos', {}],
      ['complete_todo', { id: 3 }],
    ],
  ],
  [
    todo,
    'List the todos, then delete the one named Shopping',
    [
      ['list_todos', {}],
      ['delete_todo', { id: 5 }],
    ],
    (n) =>
      n === 'list_todos'
        ? J([
            { id: 4, text: 'Work' },
            { id: 5, text: 'Shopping' },
          ])
        : 'ok',
  ],
  [todo, 'book a flight to Paris', []],
  [todo, 'What is the capital of France?', []],
  [sql, 'send an email to bob@x.com', []],
  [git, 'say hello to Carson', []],
  [home, 'delete all my files', []],
  [todo, '添加待办：买牛奶', [['add_todo', { text: '买牛奶' }]]],
];

describe('the planner with servers of other kinds', () => {
  for (const [tools, request, expected, run] of cases) {
    it(request, async () => {
      const { calls, text } = await play(request, tools, run ?? (() => 'ok'));
      assert.deepEqual(calls, expected, text);
    });
  }
});
