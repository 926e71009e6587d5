/**
 * Numbers for requests. The first connection to an address counts 1, 2, 3 …; a further one that is open at the same time in
 * this process starts at a random number, because some servers have one stream for everybody and deliver an answer to
 * whoever listens: equal numbers would make a foreign answer look like an own one. For the same reason `scatter` moves on
 * to a random range as soon as an answer arrives that was never asked for.
 */
export interface RequestIds {
  next(): number;
  /** Starts again where the connection began, for a handshake on another transport. */
  restart(): void;
  scatter(): void;
  /** The connection is over. */
  release(): void;
}

const open = new Map<string, number>();

/** Ids for a new connection to `address`, which is released when the connection ends. */
export function requestIds(address: string): RequestIds {
  const others = open.get(address) ?? 0;
  open.set(address, others + 1);
  const first = others === 0 ? 1 : randomStart();
  let next = first;
  let released = false;
  return {
    next: () => next++,
    restart: () => {
      next = first;
    },
    scatter: () => {
      next = randomStart();
    },
    release: () => {
      if (released) return;
      released = true;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    },
  };
}

/** A number of at most 31 bits, for servers that keep ids in an int, with room to count on. */
function randomStart(): number {
  return 1_000_000 + Math.floor(Math.random() * 2_000_000_000);
}
