import * as vscode from 'vscode';

import type { ServerConfig } from '../mcp/serverConfig.ts';

/** What the settings say in place of a program for the demonstration server: its file moves with every version of the extension. */
export const demoCommand = 'mcp-agent:demo';

/** Any other server stays as it is; the demonstration runs the extension's own file with the Node that the editor runs in. */
export function withDemo(config: ServerConfig): ServerConfig {
  if (config.kind !== 'stdio' || config.command !== demoCommand) return config;
  const extension = vscode.extensions.getExtension('mcp-agent.mcp-agent');
  if (!extension) return config;
  const file = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'demo.cjs').fsPath;
  // On the desktop that program is the editor itself, which this variable makes a plain Node.
  return { ...config, command: process.execPath, args: [file], env: { ...config.env, ELECTRON_RUN_AS_NODE: '1' } };
}
