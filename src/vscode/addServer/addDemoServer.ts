import { makeAddition } from '../../settings/newServer/makeAddition.ts';
import { demoCommand } from '../demoServer.ts';
import { readServerSettings } from '../settingsSource.ts';
import type { AddContext } from './confirmAddition.ts';
import { presentIn, targets } from './targets.ts';
import { tellOutcome } from './tellOutcome.ts';
import { writeAddition } from './writeAddition.ts';

/** Adds the demonstration server to the user settings at once, or starts the one that is there. */
export async function addDemoServer(context: AddContext): Promise<void> {
  const [user] = targets();
  if (!user) return;
  const present = readServerSettings().entries.find(
    ({ launch, source }) => source === user.source && launch.kind === 'stdio' && launch.command === demoCommand,
  );
  const servers = [{ name: present?.name ?? 'demo', entry: { command: demoCommand } }];
  if (present) return void tellOutcome({ servers, inputs: [], answers: new Map(), notes: [] }, user, context);
  const addition = makeAddition({ servers, inputs: [], notes: [] }, presentIn());
  await writeAddition(addition, user);
  void tellOutcome(addition, user, context);
}
