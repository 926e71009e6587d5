import { complete, type CompletionReference } from '../mcp/offers.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { askArgument, type ArgumentQuestion } from './argumentInput.ts';

/** One argument to ask for, by its name on the server. */
export interface NamedArgument extends Pick<ArgumentQuestion, 'title' | 'placeholder' | 'prompt' | 'isRequired'> {
  readonly name: string;
}

/** What the arguments belong to, and what is known of it before the first question. */
export interface ArgumentsToAsk {
  readonly server: ServerConnection;
  /** The prompt or template that the server's proposals are for (MCP "Completion"). */
  readonly reference: CompletionReference;
  readonly asked: readonly NamedArgument[];
  readonly values: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Asks for one argument after the other, each with the server's proposals; the person may go back. Resolves with all values,
 * without those that were left out, or with undefined when a question was dismissed.
 */
export async function askArguments({
  server,
  reference,
  asked,
  values: given,
  signal,
}: ArgumentsToAsk): Promise<Record<string, string> | undefined> {
  const values = { ...given };
  for (let place = 0; place < asked.length;) {
    const argument = asked[place];
    if (argument === undefined) break;
    const { name, ...texts } = argument;
    const { [name]: _present, ...known } = values;
    const answer = await askArgument({
      ...texts,
      step: place + 1,
      totalSteps: asked.length,
      canGoBack: place > 0,
      signal,
      complete: (value, stop) =>
        server.use(stop, (client) => complete(client, { reference, name, value, known }, { signal: stop })),
    });
    if (answer.kind === 'dismissed') return undefined;
    if (answer.kind === 'value') {
      if (answer.value === '') delete values[name];
      else values[name] = answer.value;
    }
    place += answer.kind === 'back' ? -1 : 1;
  }
  return values;
}
