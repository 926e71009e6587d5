import assert from 'node:assert/strict';
import type { ModelTool } from '../../../src/model/chatModel.ts';
import { weather, git, sql, cal, home, gh, shop, web, mail, todo, lib, db, note, k8s, pw } from './madeUpServers.ts';
import { play, type Run } from './playConversation.ts';

const J = JSON.stringify;
type Case = readonly [tools: readonly ModelTool[], request: string, calls: readonly unknown[], run?: Run];

const cases: readonly Case[] = [
  [lib, 'Search for books by author Tolkien', [['books_search', { author: 'Tolkien' }]]],
  [lib, 'Find books titled "Dune"', [['books_search', { title: 'Dune' }]]],
  [
    lib,
    'Register a member: Ann Lee, ann@lib.org',
    [['member_register', { fullName: 'Ann Lee', email: 'ann@lib.org' }]],
  ],
  [
    lib,
    'List all members and then register Bob Ray with the email bob@lib.org',
    [
      ['members_list', {}],
      ['member_register', { fullName: 'Bob Ray', email: 'bob@lib.org' }],
    ],
  ],
  [lib, 'Borrow book B-12 for member M-3', [['books_borrow', { bookId: 'B-12', memberId: 'M-3' }]]],
  [lib, '登记会员 李四 li@lib.cn', [['member_register', { fullName: '李四', email: 'li@lib.cn' }]]],
  [db, 'Execute "select count(*) from t"', [['execute_sql', { sql: 'select count(*) from t' }]]],
  [db, 'run this sql: SELECT 1', [['execute_sql', { sql: 'SELECT 1' }]]],
  [
    note,
    'Create a note titled "Groceries" with content "milk, eggs" and tags home, shopping',
    [['notes_create', { title: 'Groceries', content: 'milk, eggs', tags: ['home', 'shopping'] }]],
  ],
  [
    note,
    'Show my notes. If there is no note titled Groceries, create a note with title=Groceries and content="milk". Finally read the note Groceries',
    [
      ['notes_list', {}],
      ['notes_create', { title: 'Groceries', content: 'milk' }],
      ['notes_read', { title: 'Groceries' }],
    ],
    (n) => (n === 'notes_list' ? '- Work\n- Home' : 'ok'),
  ],
  [note, 'Delete the note "Old stuff"', [['notes_delete', { title: 'Old stuff' }]]],
  [note, 'List the notes with tag work', [['notes_list', { tag: 'work' }]]],
  [note, '创建一个标题为“购物”、内容为“牛奶”的笔记', [['notes_create', { title: '购物', content: '牛奶' }]]],
  [k8s, 'Scale web to 3 replicas', [['kubectl_scale', { name: 'web', replicas: 3 }]]],
  [k8s, 'Show the last 20 lines of the logs of pod web-1', [['kubectl_logs', { name: 'web-1', tail: 20 }]]],
  [
    pw,
    'Go to https://example.com and take a screenshot',
    [
      ['browser_navigate', { url: 'https://example.com' }],
      ['browser_take_screenshot', {}],
    ],
  ],
  [
    pw,
    'Open https://example.com, then click "#login"',
    [
      ['browser_navigate', { url: 'https://example.com' }],
      ['browser_click', { selector: '#login' }],
    ],
  ],
  [pw, 'Type "hello" into "#q"', [['browser_type', { selector: '#q', text: 'hello' }]]],
  [
    weather,
    'Will it rain in Madrid? If it is raining in Madrid, show the forecast for Madrid',
    [
      ['get_current_weather', { city: 'Madrid' }],
      ['get_forecast', { city: 'Madrid' }],
    ],
    (n) => (n === 'get_current_weather' ? 'Light rain, 12 degrees' : 'ok'),
  ],
  [
    weather,
    'check the weather in Oslo; if the temperature is above 10, get the forecast for Oslo, otherwise get alerts for NY',
    [
      ['get_current_weather', { city: 'Oslo' }],
      ['get_alerts', { state: 'NY' }],
    ],
    (n) => (n === 'get_current_weather' ? J({ temperature: 4 }) : 'ok'),
  ],
  [home, 'Set the bedroom thermostat to 19.5', [['set_thermostat', { room: 'bedroom', temperature: 19.5 }]]],
  [
    cal,
    'Schedule a meeting "Sync" on 2026-03-01 at 10:30',
    [['createEvent', { title: 'Sync', date: '2026-03-01', time: '10:30' }]],
  ],
  [cal, 'What is on my calendar?', [['listEvents', {}]]],
  [cal, '安排一个会议，标题为“周会”，日期 2026-03-02', [['createEvent', { title: '周会', date: '2026-03-02' }]]],
  [gh, 'Show me the issues of octo/hello', [['list_issues', { owner: 'octo', repo: 'hello' }]]],
  [
    gh,
    'Read the file README.md from octo/hello',
    [['get_file_contents', { owner: 'octo', repo: 'hello', path: 'README.md' }]],
  ],
  [
    mail,
    'Email bob@x.com: subject "Lunch", body "At noon?"',
    [['send_email', { to: 'bob@x.com', subject: 'Lunch', body: 'At noon?' }]],
  ],
  [
    mail,
    '给 bob@x.com 发一封邮件，subject 为“午餐”，body 为“中午见”',
    [['send_email', { to: 'bob@x.com', subject: '午餐', body: '中午见' }]],
  ],
  [
    mail,
    'Look for emails about the budget, and if there are none, list my contacts',
    [
      ['search_emails', { query: 'budget' }],
      ['list_contacts', {}],
    ],
    (n) => (n === 'search_emails' ? '[]' : 'ok'),
  ],
  [
    shop,
    'Cancel the order O-5 if it exists',
    [
      ['list_orders', {}],
      ['cancel_order', { orderId: 'O-5' }],
    ],
    (n) => (n === 'list_orders' ? J([{ id: 'O-5' }]) : 'ok'),
  ],
  [shop, 'cancel the first order', []],
  [
    shop,
    'List orders and cancel the first one',
    [
      ['list_orders', {}],
      ['cancel_order', { orderId: 'O-9' }],
    ],
    (n) => (n === 'list_orders' ? J([{ orderId: 'O-9' }, { orderId: 'O-8' }]) : 'ok'),
  ],
  [todo, 'Complete todo 4', [['complete_todo', { id: 4 }]]],
  [todo, 'Remind me to call mom', []],
  [
    todo,
    'delete todos 3 and 4',
    [
      ['delete_todo', { id: 3 }],
      ['delete_todo', { id: 4 }],
    ],
  ],
  [todo, '删除第 3 个待办', [['delete_todo', { id: 3 }]]],
  [
    web,
    'Please fetch the page https://a.example/x and translate "hola" to English',
    [
      ['fetch', { url: 'https://a.example/x' }],
      ['translate', { text: 'hola', target_language: 'English' }],
    ],
  ],
  [web, '把“你好”翻译成 English', [['translate', { text: '你好', target_language: 'English' }]]],
  [git, 'Check out the branch develop in /repo', [['git_checkout', { repo_path: '/repo', branch_name: 'develop' }]]],
  [sql, 'How many rows does the table users have?', [['describe_table', { table_name: 'users' }]]],
];

describe('the planner with further servers', () => {
  for (const [tools, request, expected, run] of cases) {
    it(request, async () => {
      const { calls, text } = await play(request, tools, run ?? (() => 'ok'));
      assert.deepEqual(calls, expected, text);
    });
  }
});
