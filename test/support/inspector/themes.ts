import { readFileSync } from 'node:fs';
import type { ThemeName } from '../host/workbench.ts';

interface Theme {
  /** Classes of a webview's body. */
  readonly body: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** The variables that the style sheet uses, as webviews of VS Code 1.139 have them in its four standard themes. */
const themes: Readonly<Record<ThemeName, Theme>> = JSON.parse(
  readFileSync(new URL('themes.json', import.meta.url), 'utf8'),
);

/** The class that the editor sets on the body for a theme. */
export function themeClass(theme: ThemeName): string {
  return themes[theme].body;
}

/** The variables as the editor sets them, and its own defaults for webviews. */
export function themeStyle(theme: ThemeName): string {
  const variables = Object.entries(themes[theme].variables).map(([name, value]) => `${name}:${value};`);
  return `html{${variables.join('')}scrollbar-color:var(--vscode-scrollbarSlider-background) var(--vscode-editor-background)}
body{overscroll-behavior-x:none;background-color:transparent;color:var(--vscode-editor-foreground);font-family:var(--vscode-font-family);font-size:var(--vscode-font-size);margin:0;padding:0 20px}
html{background:var(--vscode-editor-background)}`;
}
