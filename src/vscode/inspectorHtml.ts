import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import { inspectorStrings, type InspectorStrings } from '../wire/inspectorStrings.ts';

/** The texts of the page in the editor's language. */
function translatedStrings(): InspectorStrings {
  const translated: Record<keyof InspectorStrings, string> = { ...inspectorStrings };
  for (const key of stringKeys()) translated[key] = vscode.l10n.t(inspectorStrings[key]);
  return translated;
}

function stringKeys(): (keyof InspectorStrings)[] {
  return Object.keys(inspectorStrings).filter((key): key is keyof InspectorStrings =>
    Object.hasOwn(inspectorStrings, key),
  );
}

/** The folder of the page's own files; the page may load nothing else. */
export function inspectorRoot(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist', 'inspector');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The page: nothing inline, nothing from elsewhere, one script by its nonce. */
export function inspectorHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const root = inspectorRoot(extension);
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString();
  const nonce = randomBytes(16).toString('base64url');
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; font-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(vscode.l10n.t('Wire Inspector'))}</title>
<link rel="stylesheet" href="${file('style.css')}">
</head>
<body data-strings="${escapeAttribute(JSON.stringify(translatedStrings()))}">
<script nonce="${nonce}" src="${file('inspector.js')}"></script>
</body>
</html>`;
}
