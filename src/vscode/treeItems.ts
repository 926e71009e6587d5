import * as vscode from 'vscode';

import { factIcon, factLine, shownName, tokenText, toolText } from './factTexts.ts';
import { oneLine } from './plainText.ts';
import { sourceText } from './serverTexts.ts';
import { contextOf, toolSums, type GroupName, type ServerFacts, type TreeNode, type ViewNote } from './serversTree.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** One row as the editor draws it. Every row has a name for people who do not see it. */
export function treeItem(node: TreeNode): vscode.TreeItem {
  const { label, ...parts } = partsOf(node);
  const item = new vscode.TreeItem(label, parts.state ?? None);
  item.id = node.id;
  item.contextValue = contextOf(node);
  item.description = parts.description ?? '';
  if (parts.icon !== undefined) item.iconPath = parts.icon;
  if (parts.tooltip !== undefined) item.tooltip = parts.tooltip;
  const command = commandOf(node);
  if (command !== undefined) item.command = { ...command, arguments: [node] };
  const spoken = [parts.kind, label, parts.description].filter((part) => part !== undefined && part !== '').join(', ');
  item.accessibilityInformation = { label: spoken };
  if (node.kind === 'tool') item.checkboxState = checkbox(node.tool.isOn, label);
  return item;
}

interface Parts {
  readonly label: string;
  readonly description?: string;
  readonly icon?: vscode.ThemeIcon;
  readonly state?: vscode.TreeItemCollapsibleState;
  /** Plain text: what a server says of itself is never read as Markdown. */
  readonly tooltip?: string;
  /** What kind of thing it is, where that does not show in words. */
  readonly kind?: string;
}

function partsOf(node: TreeNode): Parts {
  switch (node.kind) {
    case 'server':
      return serverParts(node.server);
    case 'problem':
      return {
        label: oneLine(node.text, 300),
        icon: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
        tooltip: oneLine(node.text, 1000),
      };
    case 'group':
      return groupParts(node.server, node.group);
    case 'tool':
      return toolParts(node);
    case 'empty':
      return { label: emptyText(node.group) };
    case 'bad-entry':
      return {
        label: oneLine(node.entry.name, 60),
        description: [oneLine(node.entry.message, 200), sourceText(node.entry.source)].join(' · '),
        icon: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
        tooltip: oneLine(node.entry.message, 1000),
        kind: vscode.l10n.t('entry that cannot be used'),
      };
    case 'note':
      return noteParts(node.note);
    default:
      return offerParts(node);
  }
}

function serverParts(server: ServerFacts): Parts {
  const hasChildren = server.error !== undefined || server.tools.length > 0 || server.state === 'ready';
  return {
    label: shownName(server),
    description: server.error === undefined ? factLine(server) : `${factLine(server)} · ${oneLine(server.error, 160)}`,
    icon: factIcon(server),
    state: !hasChildren ? None : server.error === undefined ? Collapsed : Expanded,
    kind: vscode.l10n.t('server'),
  };
}

function groupParts(server: ServerFacts, group: GroupName): Parts {
  if (group === 'prompts')
    return { label: vscode.l10n.t('Prompts'), icon: new vscode.ThemeIcon('comment'), state: Collapsed };
  if (group === 'resources')
    return { label: vscode.l10n.t('Resources'), icon: new vscode.ThemeIcon('files'), state: Collapsed };
  const leftOut = server.leftOut === 0 ? [] : [vscode.l10n.t('{0} left out by settings', server.leftOut)];
  return {
    label: vscode.l10n.t('Tools'),
    description: [toolText(server), tokenText(toolSums(server).tokens), ...leftOut].join(' · '),
    icon: new vscode.ThemeIcon('tools'),
    state: Expanded,
  };
}

function toolParts({ tool }: TreeNode & { kind: 'tool' }): Parts {
  const title = tool.title === undefined || tool.title === tool.tool ? [] : [oneLine(tool.title, 80)];
  return {
    label: oneLine(tool.tool, 80),
    description: [...title, tokenText(tool.tokens)].join(' · '),
    tooltip: [tool.name, oneLine(tool.description, 600)].filter((line) => line !== '').join('\n'),
  };
}

function offerParts(node: TreeNode & { kind: 'prompt' | 'resource' | 'template' }): Parts {
  const entry = node.kind === 'prompt' ? node.prompt : node.kind === 'resource' ? node.resource : node.template;
  const { name, title, description = '' } = entry;
  const address =
    node.kind === 'prompt' ? '' : node.kind === 'resource' ? node.resource.uri : node.template.uriTemplate;
  const icons = { prompt: 'comment', resource: 'file', template: 'symbol-parameter' } as const;
  const words = node.kind === 'prompt' ? description : address;
  return {
    label: oneLine(title ?? name, 80),
    description: oneLine(words, 120),
    icon: new vscode.ThemeIcon(icons[node.kind]),
    tooltip: [name, address, oneLine(description, 600)].filter((line) => line !== '').join('\n'),
    kind: kindText(node.kind),
  };
}

function kindText(kind: 'prompt' | 'resource' | 'template'): string {
  if (kind === 'prompt') return vscode.l10n.t('prompt');
  return kind === 'resource' ? vscode.l10n.t('resource') : vscode.l10n.t('resource template');
}

function emptyText(group: GroupName): string {
  if (group === 'tools') return vscode.l10n.t('No tools');
  return group === 'prompts' ? vscode.l10n.t('No prompts') : vscode.l10n.t('No resources');
}

function noteParts(note: ViewNote): Parts {
  const [label, icon, description] =
    note === 'untrusted'
      ? ([
          vscode.l10n.t('Restricted Mode'),
          'shield',
          vscode.l10n.t('the servers of this workspace are left out'),
        ] as const)
      : ([
          vscode.l10n.t('No language model'),
          'sparkle',
          vscode.l10n.t('the built-in planner answers; choose a model'),
        ] as const);
  return { label, description, icon: new vscode.ThemeIcon(icon), tooltip: `${label}: ${description}` };
}

function checkbox(isOn: boolean, name: string): vscode.TreeItem['checkboxState'] {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const tooltip = isOn
    ? vscode.l10n.t('Offered to models: untick to leave it out')
    : vscode.l10n.t('Left out: tick to offer it to models');
  const label = isOn ? vscode.l10n.t('{0}, offered', name) : vscode.l10n.t('{0}, left out', name);
  return { state: isOn ? Checked : Unchecked, tooltip, accessibilityInformation: { label, role: 'checkbox' } };
}

/** What a click or Enter does; without one the row opens and closes. */
function commandOf({ kind, ...node }: TreeNode): { readonly command: string; readonly title: string } | undefined {
  switch (kind) {
    case 'tool':
      return { command: 'mcpAgent.view.showTool', title: vscode.l10n.t('Show Tool') };
    case 'prompt':
      return { command: 'mcpAgent.view.usePrompt', title: vscode.l10n.t('Use Prompt') };
    case 'resource':
      return { command: 'mcpAgent.view.openResource', title: vscode.l10n.t('Open Resource') };
    case 'template':
      return { command: 'mcpAgent.view.attachResource', title: vscode.l10n.t('Attach to Chat') };
    case 'problem':
      return { command: 'mcpAgent.view.showLog', title: vscode.l10n.t('Show Log') };
    case 'bad-entry':
      return { command: 'mcpAgent.view.editSettings', title: vscode.l10n.t('Edit Settings') };
    case 'note':
      return 'note' in node && node.note === 'untrusted'
        ? { command: 'mcpAgent.view.manageTrust', title: vscode.l10n.t('Manage Workspace Trust') }
        : { command: 'mcpAgent.setUpModel', title: vscode.l10n.t('Set Up a Model') };
    default:
      return undefined;
  }
}
