import assert from 'node:assert/strict';
import type { ModelTool } from '../../../src/model/chatModel.ts';
import { play, tool, type Run } from './playConversation.ts';

// Servers of other kinds, in the manner of those that people use.
const S = { type: 'string' },
  N = { type: 'number' },
  I = { type: 'integer' },
  B = { type: 'boolean' };
const weather = [
  tool(
    'get_current_weather',
    'Get the current weather for a city',
    { city: S, units: { type: 'string', enum: ['metric', 'imperial'] } },
    ['units'],
  ),
  tool(
    'get_forecast',
    'Get the weather forecast for the next days',
    { city: S, days: { type: 'integer', description: 'Number of days' } },
    ['days'],
  ),
  tool('get_alerts', 'Get weather alerts for a US state', {
    state: { type: 'string', description: 'Two-letter US state code (e.g. CA, NY)' },
  }),
];
const git = [
  tool('git_status', 'Shows the working tree status', { repo_path: S }),
  tool('git_log', 'Shows the commit logs', { repo_path: S, max_count: I }, ['max_count']),
  tool('git_commit', 'Records changes to the repository', { repo_path: S, message: S }),
  tool(
    'git_create_branch',
    'Creates a new branch from an optional base branch',
    { repo_path: S, branch_name: S, base_branch: S },
    ['base_branch'],
  ),
  tool('git_diff', 'Shows differences between branches or commits', { repo_path: S, target: S }),
  tool('git_checkout', 'Switches branches', { repo_path: S, branch_name: S }),
];
const sql = [
  tool('list_tables', 'List all tables in the SQLite database'),
  tool('describe_table', 'Get the schema information for a specific table', { table_name: S }),
  tool('read_query', 'Execute a SELECT query on the SQLite database', {
    query: { type: 'string', description: 'SELECT SQL query to execute' },
  }),
  tool('write_query', 'Execute an INSERT, UPDATE, or DELETE query on the SQLite database', {
    query: { type: 'string', description: 'SQL query to execute' },
  }),
  tool('create_table', 'Create a new table in the SQLite database', {
    query: { type: 'string', description: 'CREATE TABLE SQL statement' },
  }),
];
const cal = [
  tool(
    'listEvents',
    'List calendar events in a date range',
    { start: { type: 'string', format: 'date' }, end: { type: 'string', format: 'date' } },
    ['start', 'end'],
  ),
  tool(
    'createEvent',
    'Create a calendar event',
    { title: S, date: { type: 'string', format: 'date' }, time: S, attendees: { type: 'array', items: S } },
    ['time', 'attendees'],
  ),
  tool('deleteEvent', 'Delete a calendar event', { eventId: S }),
  tool('updateEvent', 'Update a calendar event', { eventId: S, title: S, date: S }, ['title', 'date']),
];
const home = [
  tool(
    'set_light',
    'Turn a light on or off',
    {
      room: S,
      state: { type: 'string', enum: ['on', 'off'] },
      brightness: { type: 'integer', minimum: 0, maximum: 100 },
    },
    ['brightness'],
  ),
  tool('get_temperature', 'Read the temperature of a room', { room: S }),
  tool('set_thermostat', 'Set the target temperature', { room: S, temperature: N }),
  tool('lock_door', 'Lock or unlock a door', { door: S, locked: B }),
  tool('list_devices', 'List all smart home devices'),
  tool('play_music', 'Play music on a speaker', { query: S, volume: I }, ['volume']),
];
const slack = [
  tool('slack_post_message', 'Post a new message to a Slack channel', { channel: S, text: S }),
  tool('slack_list_channels', 'List public channels in the workspace'),
  tool('slack_add_reaction', 'Add a reaction emoji to a message', { channel: S, timestamp: S, reaction: S }),
  tool('slack_get_users', 'Get a list of all users in the workspace'),
];
const gh = [
  tool(
    'create_issue',
    'Create a new issue in a GitHub repository',
    { owner: S, repo: S, title: S, body: S, labels: { type: 'array', items: S } },
    ['body', 'labels'],
  ),
  tool(
    'list_issues',
    'List issues in a repository',
    { owner: S, repo: S, state: { type: 'string', enum: ['open', 'closed', 'all'] } },
    ['state'],
  ),
  tool('search_repositories', 'Search for GitHub repositories', { query: S }),
  tool('get_file_contents', 'Get the contents of a file from a repository', { owner: S, repo: S, path: S }),
  tool('close_issue', 'Close an issue', { owner: S, repo: S, issue_number: I }),
];
const shop = [
  tool('list_products', 'List products'),
  tool('get_product', 'Get a product by id', { id: I }),
  tool('create_order', 'Create an order', { productId: I, quantity: I }),
  tool('cancel_order', 'Cancel an order', { orderId: S }),
  tool('list_orders', 'List orders'),
];
const web = [
  tool(
    'fetch',
    'Fetches a URL from the internet and extracts its contents as markdown',
    { url: { type: 'string', format: 'uri' }, max_length: I },
    ['max_length'],
  ),
  tool('get_current_time', 'Get current time in a specific timezone', {
    timezone: { type: 'string', description: "IANA timezone name (e.g., 'America/New_York')" },
  }),
  tool('convert_time', 'Convert time between timezones', { source_timezone: S, time: S, target_timezone: S }),
  tool('translate', 'Translate text', { text: S, target_language: S }),
];
const mail = [
  tool('send_email', 'Send an email', { to: { type: 'string', format: 'email' }, subject: S, body: S }),
  tool('search_emails', 'Search emails', { query: S }),
  tool('list_contacts', 'List contacts'),
  tool('create_contact', 'Create a contact', { name: S, email: S, phone: S }, ['phone']),
  tool('say_hello', 'Greet somebody', { name: S }),
];
const todo = [
  tool('add_todo', 'Add a todo item', { text: S }),
  tool('list_todos', 'List all todos'),
  tool('complete_todo', 'Mark a todo as done', { id: I }),
  tool('delete_todo', 'Delete a todo', { id: I }),
];

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

const lib = [
  tool('books_search', 'Search for books in the catalogue', { title: S, author: S, limit: I }, [
    'title',
    'author',
    'limit',
  ]),
  tool('books_borrow', 'Borrow a book for a member', { bookId: S, memberId: S }),
  tool('members_list', 'List library members'),
  tool(
    'member_register',
    'Register a member',
    { fullName: S, email: S, birthday: { type: 'string', format: 'date' } },
    ['birthday'],
  ),
];
const db = [tool('execute_sql', 'Execute a SQL statement', { sql: S }), tool('list_schemas', 'List schemas')];
const note = [
  tool('notes_create', 'Create a note', { title: S, content: S, tags: { type: 'array', items: S } }, ['tags']),
  tool('notes_list', 'List notes', { tag: S }, ['tag']),
  tool('notes_delete', 'Delete a note by its title', { title: S }),
  tool('notes_read', 'Read a note', { title: S }),
];
const k8s = [
  tool('kubectl_get', 'Get or list Kubernetes resources', { resourceType: S, namespace: S }, ['namespace']),
  tool('kubectl_delete', 'Delete Kubernetes resources', { resourceType: S, name: S, namespace: S }, ['namespace']),
  tool('kubectl_scale', 'Scale a deployment', { name: S, replicas: I, namespace: S }, ['namespace']),
  tool('kubectl_logs', 'Get logs of a pod', { name: S, tail: I }, ['tail']),
];
const pw = [
  tool('browser_navigate', 'Navigate to a URL', { url: S }),
  tool('browser_click', 'Click an element', { selector: S }),
  tool('browser_take_screenshot', 'Take a screenshot of the current page', { filename: S }, ['filename']),
  tool('browser_type', 'Type text into an element', { selector: S, text: S }),
];
const more: readonly Case[] = [
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

describe('the planner with servers of any kind', () => {
  for (const [tools, request, expected, run] of [...cases, ...more]) {
    it(request, async () => {
      const { calls, text } = await play(request, tools, run ?? (() => 'ok'));
      assert.deepEqual(calls, expected, text);
    });
  }
});
