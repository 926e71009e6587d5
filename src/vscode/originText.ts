import { maskSecrets } from '../settings/secretText.ts';
import type { Tool } from '../tools/tool.ts';
import type { EditorServers } from './editorServers.ts';
import { sourceText } from './serverTexts.ts';

/** Where a tool's server comes from and how it is reached, for a card. The person's own servers need no words. */
export function originText(servers: EditorServers, tool: Tool): string | undefined {
  const spec = servers.connections().find((server) => server.spec.name === tool.server)?.spec;
  if (spec === undefined || spec.source.startsWith('usr')) return undefined;
  return spec.target === undefined
    ? sourceText(spec.source)
    : `${sourceText(spec.source)}, ${maskSecrets(spec.target)}`;
}
