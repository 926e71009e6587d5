import { inspectorStrings, type InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { App } from './app.ts';
import { Host } from './host.ts';

/** The translated texts stand in an attribute of the body; what is missing there is shown in English. */
function readStrings(): InspectorStrings {
  const given: unknown = JSON.parse(document.body.dataset['strings'] ?? '{}');
  return { ...inspectorStrings, ...(typeof given === 'object' ? given : {}) };
}

const app = new App(new Host(), readStrings());
Object.defineProperty(document.body, 'inspector', { value: app });
