import type { Tool, ToolAnnotations, ToolCallOptions, ToolOutcome } from '../../src/tools/tool.ts';

/** What the tool does when it is called. */
export type FakeRun = (
  args: Readonly<Record<string, unknown>>,
  options: ToolCallOptions,
) => string | ToolOutcome | Promise<string | ToolOutcome>;

/** A tool without a server. */
export function fakeTool(
  name: string,
  run: FakeRun = () => `result of ${name}`,
  annotations: ToolAnnotations = {},
): Tool {
  const own = name.replace(/^[^_]*_/, '');
  return {
    name,
    server: 'users',
    serverIdentity: 'usrlocal/users',
    tool: own,
    description: `Does ${own}`,
    inputSchema: { type: 'object' },
    annotations,
    approvalKey: { server: 'usrlocal/users', tool: own, definition: '' },
    async call(args, options) {
      const result = await run(args, options);
      return typeof result === 'string' ? textOutcome(result) : result;
    },
  };
}

/** A result that is one text. */
export function textOutcome(text: string, isError = false): ToolOutcome {
  return { isError, content: [{ type: 'text', text }], parts: [{ kind: 'text', text }] };
}
