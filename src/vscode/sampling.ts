import * as vscode from 'vscode';

import { answerSampling, hintedModel, type SamplingRequest } from '../answerSampling.ts';
import { isRecord } from '../base/json.ts';
import { RpcError } from '../mcp/errors.ts';
import { errorCode } from '../mcp/jsonrpc.ts';
import type { ChatModel } from '../model/chatModel.ts';
import type { Asking } from './asking.ts';
import type { ApprovalStore } from './approvalStore.ts';
import { oneLine } from './plainText.ts';
import { reviewAnswer, reviewRequest, type SamplingPlan } from './samplingReview.ts';
import { requestSummary } from './samplingTexts.ts';
import { untilWithdrawn } from './withdrawable.ts';

/** As it stands among the approvals; no tool can have the hash. */
const samplingGrant = { tool: 'sampling/createMessage', definition: 'sampling' } as const;

/** The code for a person's refusal (MCP "Sampling", "Error Handling"). */
const REJECTED = -1;

/** Whom a request of a server for an answer goes to, and who allows it. */
export interface SamplingOptions {
  readonly approvals: ApprovalStore;
  readonly modelOf: (model: vscode.LanguageModelChat) => Promise<ChatModel>;
  /** What the person picked in the chat. */
  readonly picked: vscode.LanguageModelChat | undefined;
  /** Runs a question when no other one is open. */
  readonly turn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Has a server's request answered by the person's model: after their consent, unless this server has it for good. Rejects
 * with an RpcError −1 when they refuse.
 */
export async function sample(request: SamplingRequest, asking: Asking, options: SamplingOptions): Promise<unknown> {
  const models = await vscode.lm.selectChatModels();
  const model = chooseModel(models, options.picked, request.hints);
  if (model === undefined) throw new RpcError(errorCode.internalError, 'There is no language model to ask.');
  const plan = { request, model, reviewsAnswer: false };
  const { approvals, turn } = options;
  const isAllowed = approvals.decide({ server: asking.key, ...samplingGrant }, []) === 'allowed';
  const agreed = isAllowed ? plan : await turn(() => consent(plan, asking, approvals));
  if (agreed === undefined) throw new RpcError(REJECTED, 'The user rejected the sampling request');
  const answer = await showing(agreed, asking, async () =>
    answerSampling(await options.modelOf(agreed.model), agreed.request, asking.signal),
  );
  if (!agreed.reviewsAnswer) return answer;
  const text = isRecord(answer['content']) ? String(answer['content']['text']) : '';
  const reviewed = await turn(() => reviewAnswer(text, asking));
  if (reviewed === undefined) throw new RpcError(REJECTED, 'The user rejected the answer of the model');
  return { ...answer, content: { type: 'text', text: reviewed } };
}

/** The picked model where the server has no wish or it is one of those wished for; else the first that fits a wish. */
function chooseModel(
  models: readonly vscode.LanguageModelChat[],
  picked: vscode.LanguageModelChat | undefined,
  hints: readonly string[],
): vscode.LanguageModelChat | undefined {
  const namesOf = ({ id, name, family }: vscode.LanguageModelChat): string[] => [id, name, family];
  const usual = picked ?? models[0];
  if (hints.length === 0) return usual;
  if (picked !== undefined && hintedModel([picked], hints, namesOf) !== undefined) return picked;
  return hintedModel(models, hints, namesOf) ?? usual;
}

/** Asks the person: who, what, which model. Undefined is a no. */
async function consent(
  plan: SamplingPlan,
  asking: Asking,
  approvals: ApprovalStore,
): Promise<SamplingPlan | undefined> {
  const once: vscode.MessageItem = { title: vscode.l10n.t('Allow Once') };
  const always: vscode.MessageItem = { title: vscode.l10n.t('Always Allow This Server') };
  const review: vscode.MessageItem = { title: vscode.l10n.t('Review or Edit…') };
  const deny: vscode.MessageItem = { title: vscode.l10n.t('Deny'), isCloseAffordance: true };
  const server = oneLine(asking.server, 60);
  const title = vscode.l10n.t('The MCP server “{0}” wants to ask the model {1}', server, oneLine(plan.model.name, 60));
  const detail = requestSummary(plan.request);
  const choice = await untilWithdrawn(asking, () =>
    vscode.window.showInformationMessage(title, { modal: true, detail }, once, review, always, deny),
  );
  if (asking.signal.aborted) return undefined;
  if (choice === review) return reviewRequest(plan, asking);
  if (choice === always) await approvals.add('always', { server: asking.key, label: asking.server, ...samplingGrant });
  return choice === once || choice === always ? plan : undefined;
}

/** While the model works, the status bar says for whom. */
function showing<T>({ model }: SamplingPlan, asking: Asking, work: () => Promise<T>): Thenable<T> {
  const title = vscode.l10n.t('{0} answers for {1}', oneLine(model.name, 40), oneLine(asking.server, 40));
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}
