/**
 * A lock between processes, as a file: it says who holds it, and its time is renewed while it is held, so that the lock
 * of a process that has died does not stand for ever. Plain JavaScript, because it runs before anything is installed.
 */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A holder renews its lock this often, in ms; one that has not done so for `staleMs` is gone. */
const renewMs = 2000;
const staleMs = 30_000;

/**
 * Runs `work` while holding the lock `file`; waits while another process holds it.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(text: string) => void} say is told once when it has to wait
 * @returns {Promise<T>}
 */
export async function withLock(file, work, say) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), token: Math.random() });
  for (let told = false; !tryTake(file, mine);) {
    if (!told) say(`Waiting for another set-up that is under way (${file})`);
    told = true;
    await pause(300);
  }
  const renewal = setInterval(() => renew(file), renewMs);
  const release = () => {
    if (read(file) === mine) rmSync(file, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    process.off('exit', release);
    release();
  }
}

/** @param {string} file @param {string} mine */
function tryTake(file, mine) {
  try {
    writeFileSync(file, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const seen = read(file);
  if (seen !== undefined && isGone(file, seen)) breakLock(file, seen);
  return false;
}

/** Takes a dead holder's lock away; when another process has renewed it in between, it is put back. */
function breakLock(file, seen) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== seen) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

function isGone(file, content) {
  try {
    const holder = JSON.parse(content);
    if (holder.host === hostname() && !isAlive(holder.pid)) return true;
  } catch {
    // A lock that is being written is empty for a moment: its age decides.
  }
  try {
    return Date.now() - statSync(file).mtimeMs > staleMs;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function renew(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}
