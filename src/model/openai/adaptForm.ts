import type { EncodedRequest } from './encodeRequest.ts';
import type { RequestForm } from './requestForm.ts';

/** A form that the endpoint may accept, and what was changed. */
export interface Adaptation {
  readonly form: RequestForm;
  readonly change: string;
  /** The words do not say it, it is only likely: to be taken back where it does not help. */
  readonly isGuess?: true;
}

/** What an endpoint says when it refuses: its message, and all of its words together. */
export interface RefusalWords {
  readonly message: string;
  readonly all: string;
}

/** What was refused, and the first sentence of the refusal. */
interface Refused {
  readonly sent: EncodedRequest;
  readonly message: string;
}

type Rule = (words: string, form: RequestForm, refused: Refused) => Adaptation | undefined;

/**
 * Learns from a refusal: where the endpoint's words say what it does not take, gives the form without that.
 * Undefined where nothing can be learnt. Each adaptation narrows the form, so that this comes to an end.
 */
export function adaptForm(words: RefusalWords, form: RequestForm, sent: EncodedRequest): Adaptation | undefined {
  for (const rule of rules) {
    const adaptation = rule(words.all, form, { sent, message: words.message });
    if (adaptation !== undefined) return adaptation;
  }
  return guess(form, sent);
}

/** Where the words say nothing, images are what endpoints take least, and they would spoil every later request too. */
function guess(form: RequestForm, sent: EncodedRequest): Adaptation | undefined {
  if (sent.images.length === 0) return undefined;
  const refusedImages = new Set([...form.refusedImages, ...sent.images]);
  return { form: { ...form, refusedImages }, change: 'without the images', isGuess: true };
}

const rules: readonly Rule[] = [
  (words, form) =>
    form.stream && form.usage && /stream_options|include_usage/i.test(words)
      ? { form: { ...form, usage: false }, change: 'without stream_options' }
      : undefined,
  (words, form) =>
    form.stream &&
    /verified to stream|stream(ing)?\b(?!_options).{0,60}(not|n't|un)[\s-]?(be )?(support|allowed|enabled|available|permitted)|(not|n't) support.{0,20}stream/i.test(
      words,
    )
      ? { form: { ...form, stream: false }, change: 'without a stream' }
      : undefined,
  outputLimitRule,
  (words, form) =>
    !form.alternating && /must alternate|roles?\b.{0,40}alternat|alternating/i.test(words)
      ? { form: { ...form, alternating: true }, change: 'with neighbouring messages joined' }
      : undefined,
  (words, form) =>
    form.systemRole &&
    /system.{0,20}role.{0,40}(not|n't|un)\s?(support|allow)|role.{0,10}system.{0,40}(not|n't|un)\s?(support|allow)/i.test(
      words,
    )
      ? { form: { ...form, systemRole: false }, change: 'with the instructions in the first message' }
      : undefined,
  (words, form) =>
    !form.shortIds && /length of 9|tool.?call.?id.{0,80}(a-z|alphanumeric)/i.test(words)
      ? { form: { ...form, shortIds: true }, change: 'with short call ids' }
      : undefined,
  (words, form) =>
    !form.reasoning && /reasoning_content/i.test(words) && /missing|required|must be/i.test(words)
      ? { form: { ...form, reasoning: true }, change: "with the model's thoughts" }
      : undefined,
  (words, form) =>
    !form.signatures && /thought_?signature/i.test(words)
      ? { form: { ...form, signatures: true }, change: 'with signatures for the calls of other models' }
      : undefined,
  namedToolRule,
  imageRule,
  toolRule,
];

function outputLimitRule(words: string, form: RequestForm, { sent }: Refused): Adaptation | undefined {
  if (!sent.limitsOutput) return undefined;
  if (
    form.outputLimit === 'max_tokens' &&
    /max_completion_tokens/.test(words) &&
    !/max_completion_tokens.{0,10} is too/.test(words)
  ) {
    return { form: { ...form, outputLimit: 'max_completion_tokens' }, change: 'with max_completion_tokens' };
  }
  if (form.outputLimit !== 'none' && /max_(completion_)?tokens/.test(words)) {
    return { form: { ...form, outputLimit: 'none' }, change: 'without a limit of the output' };
  }
  return undefined;
}

/** A model that sees nothing is sent no image again; a single image that is refused is not sent again. */
function imageRule(words: string, form: RequestForm, { sent }: Refused): Adaptation | undefined {
  if (sent.images.length === 0 || !form.images) return undefined;
  if (
    /(image|vision|multi-?modal|mmproj)/i.test(words) &&
    /(not|n't|un)\s?-?(support|accept|allow|enabled|available)|no endpoints|unknown variant|mmproj|text.only/i.test(
      words,
    )
  ) {
    return { form: { ...form, images: false }, change: 'without images' };
  }
  if (/content.{0,60}(should|must) be (a )?(valid )?string|expected (a )?string/i.test(words)) {
    return { form: { ...form, images: false }, change: 'without images' };
  }
  if (!/image|media.?type|base64|png|jpe?g|webp|gif/i.test(words)) return undefined;
  const refusedImages = new Set([...form.refusedImages, ...sent.images]);
  return { form: { ...form, refusedImages }, change: 'without the images' };
}

/** A refusal that names a tool and speaks of schemas is about that, whatever else its words may mean. */
function namedToolRule(words: string, form: RequestForm, refused: Refused): Adaptation | undefined {
  return isAboutSchema(words) && toolIn(words, refused.sent.tools) !== undefined
    ? toolRule(words, form, refused)
    : undefined;
}

/** First every schema in its plainest form; a tool that is refused even so is left out. */
function toolRule(words: string, form: RequestForm, { sent, message }: Refused): Adaptation | undefined {
  if (sent.tools.size === 0) return undefined;
  if (!form.plainTools && isAboutSchema(words))
    return { form: { ...form, plainTools: true }, change: 'with plainer schemas' };
  const tool = toolIn(words, sent.tools);
  const text = tool === undefined ? undefined : sent.tools.get(tool);
  if (text === undefined) return undefined;
  const refusedTools = new Map([...form.refusedTools, [text, shorten(message)]]);
  return { form: { ...form, refusedTools }, change: `without the tool ${tool}` };
}

function isAboutSchema(words: string): boolean {
  return /schema|parameters|propert|items|grammar|\$ref|\$defs|function_declarations|string too long|description/i.test(
    words,
  );
}

/** The tool that a refusal speaks of, by its name or by its place in the list. */
function toolIn(words: string, tools: ReadonlyMap<string, string>): string | undefined {
  const named = [...tools.keys()].filter((tool) => new RegExp(`(^|[^\\w-])${tool}($|[^\\w-])`).test(words));
  const longest = named.toSorted((one, other) => other.length - one.length)[0];
  if (longest !== undefined) return longest;
  const place =
    /function_?declarations?\[(\d+)\]/i.exec(words) ?? /(?:tools|functions?)["'\]]?\s*[.[,]\s*(\d+)/i.exec(words);
  return place?.[1] === undefined ? undefined : [...tools.keys()][Number(place[1])];
}

function shorten(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  const sentence = line.replace(/\.$/, '');
  return sentence.length > 200 ? `${sentence.slice(0, 200)}…` : sentence;
}
