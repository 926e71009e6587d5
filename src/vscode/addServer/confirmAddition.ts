import * as vscode from 'vscode';

import type { Addition } from '../../settings/newServer/addition.ts';
import { makeAddition, type Chosen } from '../../settings/newServer/makeAddition.ts';
import { inputKey } from '../inputPrompts.ts';
import { oneLine } from '../plainText.ts';
import { Preview } from './preview.ts';
import { presentIn, targets, type Target } from './targets.ts';
import { tellOutcome, type Running } from './tellOutcome.ts';
import { writeAddition } from './writeAddition.ts';

/** What an addition is written with. */
export interface AddContext extends Running {
  readonly secrets: vscode.SecretStorage;
}

/** Shows what will be written, asks where to, writes it and tells how the servers start. Undefined where the person left. */
export async function confirmAddition(chosen: Chosen, context: AddContext): Promise<Addition | undefined> {
  const addition = makeAddition(chosen, presentIn());
  const target = await askTarget(addition);
  if (!target) return undefined;
  await keepAnswers(addition, target, context.secrets);
  await writeAddition(addition, target);
  void tellOutcome(addition, target, context);
  return addition;
}

/** The preview stands in the editor while the question is open. */
async function askTarget(addition: Addition): Promise<Target | undefined> {
  const preview = new Preview(addition);
  try {
    await preview.show();
    const names = addition.servers.map(({ name }) => oneLine(name, 40)).join(', ');
    return await vscode.window.showQuickPick(targets(), {
      title: vscode.l10n.t('Write {0} into which settings?', names),
      placeHolder: vscode.l10n.t('The editor shows what will be written. Escape writes nothing.'),
      ignoreFocusOut: true,
    });
  } finally {
    await preview.close();
    preview.dispose();
  }
}

/** Secrets that were found go where the inputs look for their answers. */
async function keepAnswers({ answers }: Addition, { source }: Target, secrets: vscode.SecretStorage): Promise<void> {
  for (const [id, answer] of answers) await secrets.store(inputKey(id, source), answer);
}
