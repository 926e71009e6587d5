import { messageOf } from '../../base/caught.ts';
import { HttpError } from '../../base/httpExchange.ts';
import { ModelError, type ModelErrorCode } from '../modelError.ts';
import { AnswerFault } from './answerFault.ts';
import { withoutSecrets, type Endpoint } from './endpoint.ts';
import { EmptyAnswer, RefusedRequest, SilentEndpoint, WebPageAnswer } from './requestFailure.ts';

/** What the failed request was about. */
export interface FailureContext {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** Whether tools were offered. */
  readonly hadTools: boolean;
  /** Whether any piece of the answer had come. */
  readonly hadBegun: boolean;
}

/** Puts a failure into a `ModelError` that names the endpoint, the cause and what to do. */
export function explainFailure(failure: unknown, context: FailureContext): ModelError {
  if (failure instanceof ModelError) return failure;
  const { code, text, status } = explain(failure, context);
  return new ModelError(code, withoutSecrets(text, context.endpoint), {
    ...(status !== undefined && { status }),
    cause: failure,
  });
}

interface Explanation {
  readonly code: ModelErrorCode;
  readonly text: string;
  readonly status?: number;
}

function explain(failure: unknown, context: FailureContext): Explanation {
  const { label } = context.endpoint;
  if (failure instanceof RefusedRequest) return explainRefusal(failure.head.status, failure.fault, context);
  if (failure instanceof AnswerFault) return explainFault(failure, context);
  if (failure instanceof HttpError) return explainHttp(failure, context);
  if (failure instanceof SilentEndpoint) return explainSilence(failure, context);
  if (failure instanceof EmptyAnswer) {
    return {
      code: 'empty',
      text: `${label} sent an empty answer for the model ${context.model}. Try again; if it stays so, look into the endpoint's own log.`,
    };
  }
  if (failure instanceof WebPageAnswer) {
    const title = failure.title === '' ? 'a web page' : `the web page "${failure.title}"`;
    return { code: 'not-found', text: `${label} answered with ${title}, not with a model's answer. ${checkAddress}` };
  }
  const message = messageOf(failure);
  return { code: 'stream', text: `The answer of ${label} could not be read: ${message}.` };
}

const checkAddress =
  'Check the address: it should be the base of an OpenAI-compatible interface, which mostly ends in /v1.';

function explainHttp(failure: HttpError, context: FailureContext): Explanation {
  const { label } = context.endpoint;
  const message = failure.message;
  switch (failure.code) {
    case 'unreachable':
      return { code: 'unreachable', text: `No answer from ${label}: ${message}. Start it, or correct its address.` };
    case 'certificate':
      return { code: 'unreachable', text: `No safe connection to ${label}: ${message}.` };
    case 'redirect':
      return { code: 'unreachable', text: `${label} sends us elsewhere: ${message}. ${checkAddress}` };
    case 'timeout':
      return { code: 'timeout', text: `${label} did not answer in time: ${message}.` };
    case 'broken': {
      const what = context.hadBegun ? 'The answer broke off' : 'The connection broke before an answer came';
      return { code: context.hadBegun ? 'stream' : 'unreachable', text: `${what} at ${label}: ${message}. Try again.` };
    }
  }
}

function explainSilence(failure: SilentEndpoint, context: FailureContext): Explanation {
  const seconds = Math.round(failure.limitMs / 1000);
  const text = context.hadBegun
    ? `${context.endpoint.label} stopped in the middle of its answer: nothing for ${seconds} s. Try again.`
    : `${context.endpoint.label} did not begin to answer within ${seconds} s. A local model may still be loading: try again, or allow more time.`;
  return { code: 'timeout', text };
}

/** An error within an answer that had been accepted. Where it names a status, it means what a refusal with that status means. */
function explainFault(fault: AnswerFault, context: FailureContext): Explanation {
  const status = fault.status ?? statusOf(fault.providerCode);
  const refusal = explainRefusal(status ?? 0, fault, context);
  if (status !== undefined || refusal.code !== 'rejected') return refusal;
  return { code: 'stream', text: `${context.endpoint.label} broke off its answer: ${fault.message}` };
}

function statusOf(providerCode: string): number | undefined {
  if (/overloaded|unavailable/.test(providerCode)) return 503;
  if (/rate_limit|resource_exhausted|too_many_requests/.test(providerCode)) return 429;
  if (/server_error|internal/.test(providerCode)) return 500;
  if (/authentication|permission|unauthorized/.test(providerCode)) return 401;
  return undefined;
}

function explainRefusal(status: number, fault: AnswerFault, context: FailureContext): Explanation {
  const code = codeOf(status, fault, context);
  const said = sentence([status === 0 ? '' : `HTTP ${status}`, fault.message].filter((part) => part !== '').join(': '));
  return { code, text: textFor({ code, said }, fault, context), ...(status !== 0 && { status }) };
}

function codeOf(status: number, fault: AnswerFault, context: FailureContext): ModelErrorCode {
  const words = `${fault.message} ${fault.providerCode}`;
  if (context.hadTools && refusesTools(words)) return 'no-tools';
  if (isTooLarge(words) || status === 413) return 'too-large';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404 || status === 405 || isUnknownModel(words)) return 'not-found';
  if (status === 429) return 'rate-limit';
  return status >= 500 ? 'server' : 'rejected';
}

function textFor(
  { code, said }: { readonly code: ModelErrorCode; readonly said: string },
  fault: AnswerFault,
  context: FailureContext,
): string {
  const { endpoint, model } = context;
  switch (code) {
    case 'no-tools':
      return `The model ${model} at ${endpoint.label} cannot call tools (${said}). Choose a model that can${toolAdvice(fault.message)}.`;
    case 'too-large':
      return `The request is too large for the model ${model} at ${endpoint.label} (${said}). Start a new conversation, switch tools off, or set a larger context at the endpoint.`;
    case 'unauthorized':
      return endpoint.apiKey === undefined
        ? `${endpoint.label} asks for an API key (${said}). Set it with "MCP Agent: Set API Key".`
        : `${endpoint.label} does not accept the API key (${said}). Set another with "MCP Agent: Set API Key", or check what the key may do.`;
    case 'not-found':
      return isUnknownModel(`${fault.message} ${fault.providerCode}`)
        ? `${endpoint.label} has no model ${model} (${said}).`
        : `${endpoint.label} has nothing at this address (${said}). ${checkAddress}`;
    case 'rate-limit':
      return isQuota(fault)
        ? `The quota at ${endpoint.label} is used up (${said}). Look at your plan there, or choose another model.`
        : `${endpoint.label} gets too many requests (${said}). Wait a little and try again.`;
    case 'server':
      return `${endpoint.label} failed to answer (${said}). Try again; if it stays so, look into the endpoint's own log.`;
    default:
      return `${endpoint.label} refused the request (${said}).`;
  }
}

function sentence(text: string): string {
  return text.replace(/[.\s]+$/, '');
}

/** True where the endpoint's words say that this model, or this set-up of it, cannot call tools. */
function refusesTools(words: string): boolean {
  return (
    /(tools?|functions?|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?calling)["'`]?\s+(is|are|param\w*|parameters?|use)?\s*(not|un)\s*-?(yet )?(currently )?(supported|enabled|available|allowed|implemented)/i.test(
      words,
    ) ||
    /(not|n't|no longer|cannot)\s+(currently )?(support|accept|allow|handle|use)\s+(the )?(use of )?["'`]?(tools?|functions?|function[ _-]call|tool[ _-](use|call|choice))/i.test(
      words,
    ) ||
    /support(s|ing)? tool use|not support parameters?:?.{0,40}\btools\b|without tool support|--enable-auto-tool-choice|tools? param\w* requires? --jinja/i.test(
      words,
    ) ||
    /(unrecognized|unknown|unsupported|unexpected) (request )?(argument|parameter|field|property)s?( supplied)?:?\s*["'`]?tools?\b/i.test(
      words,
    )
  );
}

function toolAdvice(words: string): string {
  if (/--enable-auto-tool-choice/.test(words))
    return ', or start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model';
  if (/--jinja/.test(words)) return ', or start llama-server with --jinja';
  return ' (for Ollama those marked "tools", for example qwen3)';
}

function isTooLarge(words: string): boolean {
  return /context_length_exceeded|exceed_context_size|maximum context|context (length|window|size)|prompt is too long|(input|prompt|request) (token count |is |too )?.{0,20}(exceed|too large|too long)|too many tokens|reduce the length|context the overflows/i.test(
    words,
  );
}

/** True where the endpoint does not know the model, rather than the path. */
export function isUnknownModel(words: string): boolean {
  return /model_not_found|deploymentnotfound|model\b.{0,80}(not found|does not exist|not exist|is not available|isn't available|unknown|not a valid)|(no|unknown|invalid|unsupported) models?\b|not a valid model|no models? loaded|does not have access to model/i.test(
    words,
  );
}

/** Waiting does not help against a used-up quota. */
export function isQuota(fault: AnswerFault): boolean {
  return /insufficient_quota|exceeded your current quota|billing|credit|out of (funds|balance)|insufficient balance/i.test(
    `${fault.message} ${fault.providerCode}`,
  );
}
