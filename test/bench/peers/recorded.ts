import { WireLog } from '../../../src/wire/wireLog.ts';
import type { Peer } from '../target.ts';
import { loadConnect, openWith } from './ours.ts';

/** This project, with everything on the wire recorded as the inspector has it. */
export const peer: Peer = {
  async load() {
    const connect = await loadConnect();
    const { tap } = new WireLog();
    return (target) => openWith(connect, target, { tap });
  },
};
