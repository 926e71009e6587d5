import { spawn, type ChildProcess } from 'node:child_process';
import { signalGroup } from './processTree.ts';

/**
 * Reads `+ pid` and `- pid` lines. Its input ends when our process is gone, however it went: then the groups that are left get a moment
 * to notice that their own input has ended, SIGTERM, and SIGKILL.
 */
const SCRIPT = `
groups=' '
while read -r change pid; do
  case $change in
    +) groups="$groups$pid " ;;
    -) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
  esac
done
[ -z "\${groups# }" ] && exit 0
sleep 1
for pid in $groups; do kill -TERM "-$pid"; done
sleep 2
for pid in $groups; do kill -KILL "-$pid"; done
`;

/** Process groups that must not outlive us. */
const groups = new Set<number>();
let watcher: ChildProcess | undefined;
let hooked = false;

/** Sees to it that the group of `pid` ends with our process, even if that is killed. Call the result when the group is gone. */
export function endWithUs(pid: number, platform: NodeJS.Platform = process.platform): () => void {
  groups.add(pid);
  if (!hooked) process.once('exit', killGroups);
  hooked = true;
  if (platform !== 'win32') tellWatcher('+', pid);
  return () => {
    if (!groups.delete(pid)) return;
    if (platform !== 'win32') tellWatcher('-', pid);
    if (groups.size === 0) dismissWatcher();
  };
}

function killGroups(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
}

function tellWatcher(change: '+' | '-', pid: number): void {
  watcher ??= startWatcher();
  watcher.stdin?.write(`${change} ${pid}\n`);
}

/** A small shell beside us: only another process can act when ours is killed. Where it cannot be started, the exit hook is all there is. */
function startWatcher(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const lost = (): void => {
    if (watcher === child) watcher = undefined;
  };
  child.on('error', lost);
  child.on('exit', lost);
  child.stdin.on('error', lost);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}

function dismissWatcher(): void {
  watcher?.stdin?.end();
  watcher = undefined;
}
