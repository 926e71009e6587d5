import * as vscode from 'vscode';

import type { EndpointKeys } from './endpointKeys.ts';
import type { Endpoint } from './endpointSettings.ts';
import { oneLine } from './plainText.ts';

/** Asks for the API key of an endpoint and keeps it in secret storage. True when a key was set or removed. */
export async function setApiKey(endpoints: readonly Endpoint[], keys: EndpointKeys): Promise<boolean> {
  const endpoint = await chooseEndpoint(endpoints);
  if (endpoint === undefined) return false;
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', oneLine(endpoint.name, 60)),
    prompt: vscode.l10n.t(
      'Sent to {0} only. Leave it empty to remove the stored key.',
      oneLine(new URL(endpoint.url).origin, 100),
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return false;
  await keys.set(endpoint, key.trim());
  return true;
}

async function chooseEndpoint(endpoints: readonly Endpoint[]): Promise<Endpoint | undefined> {
  if (endpoints.length === 0) {
    const open = vscode.l10n.t('Open Settings');
    const text = vscode.l10n.t('No model endpoint is configured (setting "mcpAgent.endpoints").');
    if ((await vscode.window.showInformationMessage(text, open)) === open) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'mcpAgent.endpoints');
    }
    return undefined;
  }
  if (endpoints.length === 1) return endpoints[0];
  const items = endpoints.map((endpoint) => ({
    label: oneLine(endpoint.name, 60),
    description: endpoint.url,
    endpoint,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Set the API key of which endpoint?') }))
    ?.endpoint;
}
