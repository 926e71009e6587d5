// A program that opens one stdio server and then ends as its second argument says: by itself, or never. Used to see what it leaves behind.
import { StdioPeer, scriptedConfig, type Behaviour } from './stdioPeer.ts';

const behaviour: Behaviour = JSON.parse(process.argv[2] ?? '{}');
const peer = await new StdioPeer(scriptedConfig(behaviour)).start();
await peer.request('ping');
process.stdout.write('ready\n');
if (process.argv[3] === 'exit') process.exit(0);
setInterval(() => undefined, 1000);
