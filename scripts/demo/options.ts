/** The command line of the demo. */
import { parseArgs } from 'node:util';

/** The captured task, in two languages. */
export const tasks = {
  en:
    'First, help me check the user list to see if there is a user named Carson. ' +
    'If not, add a new user: Carson carson@example.com; ' +
    'then check the list again to see if the new user was added successfully. Finally, say hello to Carson.',
  zh:
    '首先,帮我查看用户列表,看看有没有名为 Carson 的用户。如果没有,就添加一个新用户:Carson carson@example.com;' +
    '然后再次查看列表,看看新用户是否添加成功。最后,向 Carson 问好。',
} as const;

/** What the command line of the demo says. */
export interface DemoOptions {
  readonly task: string;
  /** Whether it is one of `tasks`, whose outcome the demo can judge. */
  readonly isCaptured: boolean;
  readonly out: string;
  readonly open: boolean;
  /** Use the planner even where a model endpoint answers. */
  readonly planner: boolean;
}

/** What `npm run demo -- --help` prints. */
export const usage = `npm run demo [-- options]

  --out DIR      where screenshots, transcript.txt and wire.jsonl go (default: demo-output)
  --task "…"     another task than that of the user named Carson
  --lang zh      the same task in Chinese
  --planner      the built-in planner, even where a model endpoint answers
  --open         leave the workbench open to try by hand, and print its address

A model endpoint is taken from OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL, or from Ollama where it runs;
without one, the built-in planner does the task.
`;

/** Reads the arguments; throws with what is wrong. `undefined` asks for the usage. */
export function parseOptions(args: readonly string[]): DemoOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string', default: 'demo-output' },
      task: { type: 'string' },
      lang: { type: 'string', default: 'en' },
      planner: { type: 'boolean', default: false },
      open: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const { lang } = values;
  if (lang !== 'en' && lang !== 'zh') throw new Error(`--lang is "en" or "zh", not "${lang}"`);
  return {
    task: values.task ?? tasks[lang],
    isCaptured: values.task === undefined,
    out: values.out,
    open: values.open,
    planner: values.planner,
  };
}
