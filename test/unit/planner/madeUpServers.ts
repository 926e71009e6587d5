/** Tools of servers that do not exist, in the manner of those that people use. */
import { tool } from './playConversation.ts';

export const S = { type: 'string' },
  N = { type: 'number' },
  I = { type: 'integer' },
  B = { type: 'boolean' };
export const weather = [
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
export const git = [
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
export const sql = [
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
export const cal = [
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
export const home = [
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
export const slack = [
  tool('slack_post_message', 'Post a new message to a Slack channel', { channel: S, text: S }),
  tool('slack_list_channels', 'List public channels in the workspace'),
  tool('slack_add_reaction', 'Add a reaction emoji to a message', { channel: S, timestamp: S, reaction: S }),
  tool('slack_get_users', 'Get a list of all users in the workspace'),
];
export const gh = [
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
export const shop = [
  tool('list_products', 'List products'),
  tool('get_product', 'Get a product by id', { id: I }),
  tool('create_order', 'Create an order', { productId: I, quantity: I }),
  tool('cancel_order', 'Cancel an order', { orderId: S }),
  tool('list_orders', 'List orders'),
];
export const web = [
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
export const mail = [
  tool('send_email', 'Send an email', { to: { type: 'string', format: 'email' }, subject: S, body: S }),
  tool('search_emails', 'Search emails', { query: S }),
  tool('list_contacts', 'List contacts'),
  tool('create_contact', 'Create a contact', { name: S, email: S, phone: S }, ['phone']),
  tool('say_hello', 'Greet somebody', { name: S }),
];
export const todo = [
  tool('add_todo', 'Add a todo item', { text: S }),
  tool('list_todos', 'List all todos'),
  tool('complete_todo', 'Mark a todo as done', { id: I }),
  tool('delete_todo', 'Delete a todo', { id: I }),
];

export const lib = [
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
export const db = [tool('execute_sql', 'Execute a SQL statement', { sql: S }), tool('list_schemas', 'List schemas')];
export const note = [
  tool('notes_create', 'Create a note', { title: S, content: S, tags: { type: 'array', items: S } }, ['tags']),
  tool('notes_list', 'List notes', { tag: S }, ['tag']),
  tool('notes_delete', 'Delete a note by its title', { title: S }),
  tool('notes_read', 'Read a note', { title: S }),
];
export const k8s = [
  tool('kubectl_get', 'Get or list Kubernetes resources', { resourceType: S, namespace: S }, ['namespace']),
  tool('kubectl_delete', 'Delete Kubernetes resources', { resourceType: S, name: S, namespace: S }, ['namespace']),
  tool('kubectl_scale', 'Scale a deployment', { name: S, replicas: I, namespace: S }, ['namespace']),
  tool('kubectl_logs', 'Get logs of a pod', { name: S, tail: I }, ['tail']),
];
export const pw = [
  tool('browser_navigate', 'Navigate to a URL', { url: S }),
  tool('browser_click', 'Click an element', { selector: S }),
  tool('browser_take_screenshot', 'Take a screenshot of the current page', { filename: S }, ['filename']),
  tool('browser_type', 'Type text into an element', { selector: S, text: S }),
];
