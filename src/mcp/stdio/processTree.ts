import { execFile } from 'node:child_process';

/** A process that leads its own group, and those that it started. */
export interface ProcessTree {
  /** Of the leader, and on POSIX of its group. */
  readonly pid: number;
  /** Descendants that have left the group, as far as they were seen. */
  readonly outside: readonly number[];
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly state: string;
}

/** Looks for descendants of `pid` that its group does not hold. Call it while the leader lives: later nobody knows whose they are. */
export async function findTree(pid: number, platform: NodeJS.Platform = process.platform): Promise<ProcessTree> {
  if (platform === 'win32') return { pid, outside: [] };
  const rows = await listProcesses();
  const tree = new Set([pid]);
  // Parents mostly stand before their children, but numbers wrap around: repeat until nothing is added.
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const row of rows) if (tree.has(row.parent)) tree.add(row.pid);
  }
  return {
    pid,
    outside: rows.filter((row) => tree.has(row.pid) && row.group !== pid && row.pid !== pid).map((row) => row.pid),
  };
}

/** True while a process of the tree lives; one that is dead and not yet collected does not. */
export async function isTreeAlive(tree: ProcessTree, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform === 'win32') return signal(tree.pid, 0);
  if (!signal(-tree.pid, 0) && !tree.outside.some((pid) => signal(pid, 0))) return false;
  const rows = await listProcesses();
  // Without a list (no `ps`), what can be signalled counts as alive.
  return rows.length === 0 || rows.some((row) => isMember(row, tree) && !row.state.startsWith('Z'));
}

function isMember(row: ProcessRow, tree: ProcessTree): boolean {
  return row.group === tree.pid || tree.outside.includes(row.pid);
}

/** Signals every process of the tree. On Windows any signal ends them, by force with SIGKILL. */
export async function signalTree(
  tree: ProcessTree,
  name: 'SIGTERM' | 'SIGKILL',
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform === 'win32') return taskkill(tree.pid, name === 'SIGKILL');
  signalGroup(tree.pid, name);
  for (const pid of tree.outside) signal(pid, name);
}

/** Signals a whole group at once, without waiting for anything; for the moment in which our own process ends. */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  if (!signal(-pid, name)) signal(pid, name);
}

/** False when there is no such process any more (or it is not ours). */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // ESRCH or EPERM: there is nothing to signal.
    return false;
  }
}

function taskkill(pid: number, force: boolean): Promise<void> {
  const args = ['/T', ...(force ? ['/F'] : []), '/PID', String(pid)];
  return new Promise((resolve) => execFile('taskkill', args, { windowsHide: true }, () => resolve()));
}

/** All processes of the machine; empty where they cannot be listed. */
function listProcesses(): Promise<ProcessRow[]> {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,stat='];
  return new Promise((resolve) => {
    execFile('ps', args, { timeout: 2000, maxBuffer: 16 << 20 }, (error, stdout) =>
      resolve(error ? [] : readRows(stdout)),
    );
  });
}

function readRows(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    return state === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), state }];
  });
}
