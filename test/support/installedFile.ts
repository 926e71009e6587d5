import { fileURLToPath } from 'node:url';

/** The path of a file by its place in node_modules, also for packages whose `exports` hide it. */
export function installedFile(path: string): string {
  return fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
}
