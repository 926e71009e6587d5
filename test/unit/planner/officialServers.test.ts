import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ModelTool } from '../../../src/model/chatModel.ts';
import { isRecord, parseJson } from '../../../src/base/json.ts';
import { play } from './playConversation.ts';

/** The recorded `tools/list` of a server, offered under a prefix. */
function recorded(server: string): ModelTool[] {
  const parsed = parseJson(readFileSync(new URL(`../../fixtures/planner/${server}.json`, import.meta.url), 'utf8'));
  const list = parsed.ok && isRecord(parsed.value) && Array.isArray(parsed.value.tools) ? parsed.value.tools : [];
  return list.filter(isRecord).map(({ name, description, inputSchema }) => ({
    name: `bb7_${String(name)}`,
    description: String(description),
    inputSchema: isRecord(inputSchema) ? inputSchema : {},
  }));
}

/** Request → the calls it has to come to. */
const cases: Readonly<Record<string, readonly (readonly [request: string, calls: readonly unknown[]])[]>> = {
  everything: [
    ['Echo "hello world"', [['echo', { message: 'hello world' }]]],
    ['echo hello there, planner', [['echo', { message: 'hello there, planner' }]]],
    ['What is the sum of 17 and 25?', [['get-sum', { a: 17, b: 25 }]]],
    ['add 2.5 and -3', [['get-sum', { a: 2.5, b: -3 }]]],
    ['Show me the environment variables', [['get-env', {}]]],
    ['Get the tiny image', [['get-tiny-image', {}]]],
    [
      'Get an annotated message of type error and include an image',
      [['get-annotated-message', { messageType: 'error', includeImage: true }]],
    ],
    ['show a success message', [['get-annotated-message', { messageType: 'success' }]]],
    [
      'Run a long running operation with duration 2 and 4 steps',
      [['trigger-long-running-operation', { duration: 2, steps: 4 }]],
    ],
    ['get 5 resource links', [['get-resource-links', { count: 5 }]]],
    ['Get the structured content for Chicago', [['get-structured-content', { location: 'Chicago' }]]],
    [
      'Get a resource reference of type Blob with id 7',
      [['get-resource-reference', { resourceType: 'Blob', resourceId: 7 }]],
    ],
    [
      'compress https://example.com/a.txt with gzip and name it a.gz',
      [['gzip-file-as-resource', { name: 'a.gz', data: 'https://example.com/a.txt' }]],
    ],
    ['Toggle simulated logging', [['toggle-simulated-logging', {}]]],
    ['List the roots', [['get-roots-list', {}]]],
    ['Ask the LLM via sampling: "Write a haiku"', [['trigger-sampling-request', { prompt: 'Write a haiku' }]]],
    ['Research the topic of quantum computing', [['simulate-research-query', { topic: 'quantum computing' }]]],
    [
      'First echo "one", then add 1 and 2, and finally echo "done"',
      [
        ['echo', { message: 'one' }],
        ['get-sum', { a: 1, b: 2 }],
        ['echo', { message: 'done' }],
      ],
    ],
    ['use get-sum with a=4 and b=5', [['get-sum', { a: 4, b: 5 }]]],
    ['回显“你好”', [['echo', { message: '你好' }]]],
    ['计算 12 和 30 的和', [['get-sum', { a: 12, b: 30 }]]],
    [
      '先查看环境变量，然后获取小图片',
      [
        ['get-env', {}],
        ['get-tiny-image', {}],
      ],
    ],
    ['调用 echo，message 为 hello', [['echo', { message: 'hello' }]]],
  ],
  memory: [
    [
      'Create an entity named Carson of type person with the observation "likes tea"',
      [['create_entities', { entities: [{ name: 'Carson', entityType: 'person', observations: ['likes tea'] }] }]],
    ],
    [
      'create an entity Acme of type company',
      [['create_entities', { entities: [{ name: 'Acme', entityType: 'company', observations: [] }] }]],
    ],
    [
      'Create the entities Ann, Bob and Eve of type person',
      [
        [
          'create_entities',
          { entities: ['Ann', 'Bob', 'Eve'].map((name) => ({ name, entityType: 'person', observations: [] })) },
        ],
      ],
    ],
    [
      'Create a relation from Carson to Acme of type works_at',
      [['create_relations', { relations: [{ from: 'Carson', to: 'Acme', relationType: 'works_at' }] }]],
    ],
    [
      'Add the observation "speaks French" to Carson',
      [['add_observations', { observations: [{ entityName: 'Carson', contents: ['speaks French'] }] }]],
    ],
    ['Show me the whole knowledge graph', [['read_graph', {}]]],
    ['Search the nodes for tea', [['search_nodes', { query: 'tea' }]]],
    ['Open the nodes Carson and Acme', [['open_nodes', { names: ['Carson', 'Acme'] }]]],
    ['Delete the entity Carson', [['delete_entities', { entityNames: ['Carson'] }]]],
    ['Delete the entities "Carson" and "Acme"', [['delete_entities', { entityNames: ['Carson', 'Acme'] }]]],
    [
      'Delete the observation "likes tea" from Carson',
      [['delete_observations', { deletions: [{ entityName: 'Carson', observations: ['likes tea'] }] }]],
    ],
    [
      'Delete the relation from Carson to Acme of type works_at',
      [['delete_relations', { relations: [{ from: 'Carson', to: 'Acme', relationType: 'works_at' }] }]],
    ],
    [
      'Read the graph. If there is no entity named Carson, create an entity named Carson of type person. Then read the graph again.',
      [
        ['read_graph', {}],
        ['create_entities', { entities: [{ name: 'Carson', entityType: 'person', observations: [] }] }],
        ['read_graph', {}],
      ],
    ],
    [
      'create_entities {"entities":[{"name":"X","entityType":"y","observations":["a","b"]}]}',
      [['create_entities', { entities: [{ name: 'X', entityType: 'y', observations: ['a', 'b'] }] }]],
    ],
    [
      '创建一个名为Carson、类型为person的实体',
      [['create_entities', { entities: [{ name: 'Carson', entityType: 'person', observations: [] }] }]],
    ],
    ['读取整个知识图谱', [['read_graph', {}]]],
    ['搜索包含“tea”的节点', [['search_nodes', { query: 'tea' }]]],
    ['删除实体 Carson', [['delete_entities', { entityNames: ['Carson'] }]]],
  ],
  filesystem: [
    ['List the files in /tmp/demo', [['list_directory', { path: '/tmp/demo' }]]],
    ['List the files in /tmp/demo with their sizes', [['list_directory_with_sizes', { path: '/tmp/demo' }]]],
    [
      'list the directory /tmp/demo with sizes sorted by size',
      [['list_directory_with_sizes', { path: '/tmp/demo', sortBy: 'size' }]],
    ],
    ['Read /tmp/demo/notes.txt', [['read_text_file', { path: '/tmp/demo/notes.txt' }]]],
    ['Read the first 5 lines of /tmp/demo/notes.txt', [['read_text_file', { path: '/tmp/demo/notes.txt', head: 5 }]]],
    ['show the last 3 lines of /tmp/demo/notes.txt', [['read_text_file', { path: '/tmp/demo/notes.txt', tail: 3 }]]],
    [
      'Read the files /tmp/demo/a.txt and /tmp/demo/b.txt',
      [['read_multiple_files', { paths: ['/tmp/demo/a.txt', '/tmp/demo/b.txt'] }]],
    ],
    [
      'Write "Hello; and then bye." to /tmp/demo/hello.txt',
      [['write_file', { path: '/tmp/demo/hello.txt', content: 'Hello; and then bye.' }]],
    ],
    ['Create a directory /tmp/demo/new', [['create_directory', { path: '/tmp/demo/new' }]]],
    [
      'Move /tmp/demo/a.txt to /tmp/demo/b.txt',
      [['move_file', { source: '/tmp/demo/a.txt', destination: '/tmp/demo/b.txt' }]],
    ],
    [
      'rename /tmp/demo/a.txt to /tmp/demo/c.txt',
      [['move_file', { source: '/tmp/demo/a.txt', destination: '/tmp/demo/c.txt' }]],
    ],
    ['Search for *.md files in /tmp/demo', [['search_files', { path: '/tmp/demo', pattern: '*.md' }]]],
    [
      'Replace "foo" with "bar" in /tmp/demo/a.txt',
      [['edit_file', { path: '/tmp/demo/a.txt', edits: [{ oldText: 'foo', newText: 'bar' }] }]],
    ],
    ['What is the size of /tmp/demo/a.txt?', [['get_file_info', { path: '/tmp/demo/a.txt' }]]],
    ['Which directories am I allowed to access?', [['list_allowed_directories', {}]]],
    ['Show the directory tree of /tmp/demo', [['directory_tree', { path: '/tmp/demo' }]]],
    ['Read the image /tmp/demo/logo.png', [['read_media_file', { path: '/tmp/demo/logo.png' }]]],
    [
      'List the files in /tmp/demo and read the first file',
      [
        ['list_directory', { path: '/tmp/demo' }],
        ['read_text_file', { path: '/tmp/demo/a.txt' }],
      ],
    ],
    [
      'List /tmp/demo. If there is no file named notes.txt, write "todo" to /tmp/demo/notes.txt, then list /tmp/demo again to check that it was created',
      [
        ['list_directory', { path: '/tmp/demo' }],
        ['write_file', { path: '/tmp/demo/notes.txt', content: 'todo' }],
        ['list_directory', { path: '/tmp/demo' }],
      ],
    ],
    ['列出 /tmp/demo 目录下的文件', [['list_directory', { path: '/tmp/demo' }]]],
    ['读取文件 /tmp/demo/notes.txt', [['read_text_file', { path: '/tmp/demo/notes.txt' }]]],
    ['创建目录 /tmp/demo/新建', [['create_directory', { path: '/tmp/demo/新建' }]]],
    [
      '把“你好”写入 /tmp/demo/a.txt，然后读取它',
      [
        ['write_file', { path: '/tmp/demo/a.txt', content: '你好' }],
        ['read_text_file', { path: '/tmp/demo/a.txt' }],
      ],
    ],
    [
      '把 /tmp/demo/a.txt 移动到 /tmp/demo/b.txt',
      [['move_file', { source: '/tmp/demo/a.txt', destination: '/tmp/demo/b.txt' }]],
    ],
  ],
};

/** Answers in the manner of the real servers, as far as a later step reads them. */
function answer(name: string): string {
  if (name.includes('list_directory')) return '[FILE] a.txt\n[FILE] b.txt\n[DIR] sub';
  return name.includes('read_graph') ? '{"entities":[],"relations":[]}' : 'ok';
}

for (const [server, list] of Object.entries(cases)) {
  describe(`the planner with the tools of server-${server}`, () => {
    const tools = recorded(server);
    for (const [request, expected] of list) {
      it(request, async () => {
        const { calls } = await play(request, tools, answer);
        assert.deepEqual(
          calls.map(([name, args]) => [name.replace('bb7_', ''), args]),
          expected,
        );
      });
    }
  });
}
