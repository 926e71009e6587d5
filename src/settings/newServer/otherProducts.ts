import path from 'node:path';

/** Where products keep their servers, as data: nothing is read here. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Open folders. */
  readonly folders: readonly string[];
  /** The `User` folder of the editor that we run in, where it is on this machine. */
  readonly userFolder?: string;
}

/** A file of another product that may hold servers. */
export interface ProductFile {
  readonly product: string;
  readonly file: string;
  /** `mcp.json` of the editor that we run in: its servers are used already. */
  readonly isRead?: boolean;
}

type Places = (where: Where) => readonly string[];

/** The folders of a machine in which products keep their files. */
interface Where {
  readonly join: (...steps: string[]) => string;
  readonly home: string;
  /** Per-user application data: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
  readonly data: string;
  /** `~/.config` wherever it is, `%APPDATA%` on Windows. */
  readonly config: string;
  /** `User` folders of the editors of the VS Code family. */
  readonly editors: readonly string[];
  readonly folders: readonly string[];
}

const inFolders =
  (...steps: string[]): Places =>
  ({ join, folders }) =>
    folders.map((folder) => join(folder, ...steps));

const inHome =
  (...steps: string[]): Places =>
  ({ join, home }) => [join(home, ...steps)];

const inStorage =
  (extension: string, file: string): Places =>
  ({ join, editors }) =>
    editors.map((user) => join(user, 'globalStorage', extension, 'settings', file));

const all =
  (...parts: Places[]): Places =>
  (where) =>
    parts.flatMap((part) => part(where));

const PRODUCTS: readonly (readonly [name: string, places: Places])[] = [
  ['Claude Desktop', ({ join, data }) => [join(data, 'Claude', 'claude_desktop_config.json')]],
  ['Claude Code', all(inHome('.claude.json'), inFolders('.mcp.json'))],
  ['Cursor', all(inHome('.cursor', 'mcp.json'), inFolders('.cursor', 'mcp.json'))],
  [
    'Cline',
    all(
      inStorage('saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
      inHome('.cline', 'data', 'settings', 'cline_mcp_settings.json'),
      inHome('Documents', 'Cline', 'MCP', 'cline_mcp_settings.json'),
    ),
  ],
  ['Roo Code', all(inStorage('rooveterinaryinc.roo-cline', 'mcp_settings.json'), inFolders('.roo', 'mcp.json'))],
  ['Windsurf', all(inHome('.codeium', 'windsurf', 'mcp_config.json'), inHome('.codeium', 'mcp_config.json'))],
  [
    'Continue',
    all(inHome('.continue', 'config.yaml'), inHome('.continue', 'config.json'), inFolders('.continue', 'config.yaml')),
  ],
  ['Zed', all(({ join, config }) => [join(config, 'zed', 'settings.json')], inFolders('.zed', 'settings.json'))],
  [
    'VS Code',
    all(({ join, editors }) => editors.map((user) => join(user, 'mcp.json')), inFolders('.vscode', 'mcp.json')),
  ],
];

/** Every file that may be there, product by product; each once. */
export function productFiles(machine: Machine): ProductFile[] {
  const where = whereOn(machine);
  const own = new Set([
    ...(machine.userFolder === undefined ? [] : [where.join(machine.userFolder, 'mcp.json')]),
    ...machine.folders.map((folder) => where.join(folder, '.vscode', 'mcp.json')),
  ]);
  const seen = new Set<string>();
  return PRODUCTS.flatMap(([product, places]) =>
    places(where).flatMap((file) => {
      if (seen.has(file)) return [];
      seen.add(file);
      return [{ product, file, ...(own.has(file) && { isRead: true }) }];
    }),
  );
}

function whereOn({ platform, home, env, folders, userFolder }: Machine): Where {
  const join = (...steps: string[]): string => (platform === 'win32' ? path.win32 : path.posix).join(...steps);
  const roaming = env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const xdg = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const data =
    platform === 'win32' ? roaming : platform === 'darwin' ? join(home, 'Library', 'Application Support') : xdg;
  const family = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map((name) => join(data, name, 'User'));
  const servers = ['.vscode-server', '.vscode-server-insiders'].map((name) => join(home, name, 'data', 'User'));
  return {
    join,
    home,
    data,
    config: platform === 'win32' ? roaming : xdg,
    editors: [...new Set([...(userFolder === undefined ? [] : [userFolder]), ...family, ...servers])],
    folders,
  };
}
