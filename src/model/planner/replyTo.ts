/** The planner's next reply: the walk is taken again from its start, over the results that the history holds. */
import type { JsonObject } from '../../base/json.ts';
import type { ChatMessage, ModelTool } from '../chatModel.ts';
import { inlineCode } from './markdown.ts';
import { phrasesFor, type Phrases } from './phrases.ts';
import { readHistory, type Turn } from './readHistory.ts';
import type { Result } from './readResult.ts';
import { splitSteps } from './splitSteps.ts';
import { takeSteps } from './takeSteps.ts';
import { chinese, nounLike, verbs } from './vocabulary.ts';
import { knownAt, languageOf } from './words.ts';

/** What the planner says, and the call that it wants made. */
export interface Reply {
  readonly text: string;
  readonly call?: { readonly name: string; readonly arguments: JsonObject };
}

/** A result of a call, or the person's answer to a question. */
type Event = Result | string;

/** What comes next in the conversation. Equal requests get equal replies. */
export function replyTo(messages: readonly ChatMessage[], tools: readonly ModelTool[]): Reply {
  const turns = readHistory(messages);
  const { request, events, earlier, context } = effective(turns);
  const last = turns.at(-1)?.request ?? '';
  const phrases = phrasesFor(languageOf(last === request ? request : `${request} ${last}`));
  if (events.at(-1) === last && isRefusal.test(last)) return { text: phrases.dropped };
  if (request.length > longest) return { text: [phrases.tooLong(longest), phrases.choose].join('\n\n') };
  if (tools.length === 0 && events.length === 0)
    return { text: [phrases.noTools, phrases.self, phrases.choose].join('\n\n') };
  if (asksAboutMe.test(request) || !/[\p{L}\d]/u.test(request)) return { text: introduce(tools, phrases) };
  return drive(request, tools, { events, earlier, context, phrases });
}

const asksAboutMe =
  /^[\p{P}\s]*(?:(?:hi|hello|hey|help|good (?:morning|day|evening))(?: there)?|what (?:can|do) you do.*|who are you.*|what are you.*|how do(?:es)? (?:you|this) work.*|你好|您好|嗨|帮助|你是谁.*|你能做什么.*|你会什么.*|你可以做什么.*|怎么用)[\p{P}\s]*$/iu;
/** Characters of a request that are read; rules take too long on more. */
const longest = 10_000;
const isRefusal =
  /^[\p{P}\s]*(?:no|nope|cancel|never ?mind|forget (?:it|about it)|stop|nothing|不用了?|算了|取消|不要了?)[\p{P}\s]*$/iu;
const isContinuation =
  /^[\p{P}\s]*(?:please )?(?:continue|go on|carry on|keep going|proceed|继续|接着来?|请继续)[\p{P}\s]*$/iu;

function introduce(tools: readonly ModelTool[], phrases: Phrases): string {
  const some = tools.slice(0, 6).map(({ name }) => inlineCode(name));
  return [phrases.self, phrases.offered(tools.length, some.join(', ')), phrases.choose].join('\n\n');
}

interface Effective {
  readonly request: string;
  readonly events: readonly Event[];
  readonly earlier: readonly Result[];
  /** The request before this one. */
  readonly context: string;
}

/** An answer to the planner's question, or "continue", goes on with the request of the turn before. */
function effective(turns: readonly Turn[]): Effective {
  let first = turns.length - 1;
  while (first > 0 && goesOn(turns[first - 1], turns[first])) first -= 1;
  const joined = turns.slice(Math.max(0, first));
  const events = joined.flatMap((turn, index): Event[] =>
    index === 0 || isContinuation.test(turn.request) ? [...turn.results] : [turn.request, ...turn.results],
  );
  const before = turns.slice(0, Math.max(0, first));
  return {
    request: joined[0]?.request ?? '',
    events,
    earlier: before.flatMap(({ results }) => results),
    context: before.at(-1)?.request ?? '',
  };
}

function goesOn(before: Turn | undefined, turn: Turn | undefined): boolean {
  if (before === undefined || turn === undefined) return false;
  if (isContinuation.test(turn.request)) return true;
  return isQuestion.test(before.answer) && !isInstruction(turn.request);
}

/** How the planner asks for a missing argument. */
const isQuestion =
  /(?:Which \*\*[^\n]+\*\* shall I pass to `+[^\n]+`+\?|传给 `+[^\n]+`+ 的 \*\*[^\n]+\*\* 是什么？)\s*$/;

/** An answer is a value; what begins with a clear verb is a new request. */
function isInstruction(text: string): boolean {
  if (isRefusal.test(text)) return false;
  const [first = '', ...rest] = text
    .trim()
    .replace(/^(?:please|now)\s+/i, '')
    .split(/\s+/);
  const verb = first.toLowerCase();
  const known = knownAt(text, 0);
  if (known !== undefined && text.length > 4) return verbs.has(chinese.get(known)?.[0] ?? '');
  if (!verbs.has(verb) || rest.length === 0 || verb === 'use') return false;
  return !nounLike.has(verb) || /^(?:the|all|a|an|my|me|is|are|in|to|for|files?|users?)$/i.test(rest[0] ?? '');
}

interface Course {
  readonly events: readonly Event[];
  readonly earlier: readonly Result[];
  readonly context: string;
  readonly phrases: Phrases;
}

/** Feeds the walk with what is known; what it says after the last known event is the reply. */
function drive(request: string, tools: readonly ModelTool[], { events, earlier, context, phrases }: Course): Reply {
  const walk = takeSteps(splitSteps(request), { tools, earlier, context, phrases });
  const queue = [...events];
  let text = '';
  let next = walk.next();
  while (next.done !== true) {
    const asked = next.value;
    if (asked.kind === 'say') {
      text += asked.text;
      next = walk.next();
      continue;
    }
    const event = takeEvent(queue, asked.kind);
    if (asked.kind === 'ask' && event === undefined) return { text: text + asked.text };
    if (asked.kind === 'call' && event === undefined)
      return { text, call: { name: asked.name, arguments: asked.arguments } };
    text = '';
    next = walk.next(event);
  }
  return { text: text.trimEnd() };
}

/** The next event of the kind; tools may have changed since, so what does not match is passed over. */
function takeEvent(queue: Event[], kind: 'call' | 'ask'): Event | undefined {
  for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
    if ((typeof event === 'string') === (kind === 'ask')) return event;
  }
  return undefined;
}
