import type * as vscode from 'vscode';

import { ApprovalStore } from './approvalStore.ts';
import { DefinitionBook } from './definitionBook.ts';
import { StartPermissions } from './startPermissions.ts';

/** Everything that a person has allowed for longer than one call. */
export interface Allowances {
  readonly approvals: ApprovalStore;
  /** Which servers of the workspace may start. */
  readonly permissions: StartPermissions;
  /** What tools said of themselves when they were allowed. */
  readonly book: DefinitionBook;
}

/** Reads and keeps them in the editor's storage: what is allowed in a workspace stays there. */
export function allowancesOf({ globalState, workspaceState }: vscode.ExtensionContext): Allowances {
  return {
    approvals: new ApprovalStore({ always: globalState, workspace: workspaceState }),
    permissions: new StartPermissions(workspaceState),
    book: new DefinitionBook(globalState),
  };
}
