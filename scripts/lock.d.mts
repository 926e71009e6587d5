/** Types of `lock.mjs`. */
export function withLock<T>(file: string, work: () => Promise<T>, say: (text: string) => void): Promise<T>;
