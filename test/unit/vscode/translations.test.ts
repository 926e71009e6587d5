import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../../src/base/json.ts';
import { pasteTexts } from '../../../src/settings/newServer/told.ts';
import { inspectorStrings } from '../../../src/wire/inspectorStrings.ts';

const root = join(import.meta.dirname, '../../..');
const sources = [...globSync('src/vscode/**/*.ts', { cwd: root }), 'src/extension.ts'].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

function readJson(file: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(join(root, file), 'utf8'));
  assert(isRecord(value));
  return value;
}

/** The texts that the code passes to `l10n.t`, as they are at run time. */
function usedTexts(): string[] {
  return sources.flatMap(({ text }) =>
    [...text.matchAll(/\bl10n\.t\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/g)].map((match) =>
      (match[1] ?? match[2] ?? '').replaceAll(/\\(['"\\])/g, '$1').replaceAll('\\n', '\n'),
    ),
  );
}

/** Every `%key%` anywhere in the manifest. */
function manifestKeys(value: unknown): string[] {
  if (typeof value === 'string') {
    const key = /^%([^%]+)%$/.exec(value)?.[1];
    return key === undefined ? [] : [key];
  }
  if (Array.isArray(value)) return value.flatMap(manifestKeys);
  return isRecord(value) ? Object.values(value).flatMap(manifestKeys) : [];
}

const placeholders = (text: unknown): string[] => (String(text).match(/\{\d+\}|\$\{[^}]*\}/g) ?? []).toSorted();

describe('translations', () => {
  const bundle = readJson('l10n/bundle.l10n.zh-cn.json');
  const english = readJson('package.nls.json');
  const chinese = readJson('package.nls.zh-cn.json');

  it('every text of the code is there in Chinese, and no other', () => {
    const used = [...new Set([...usedTexts(), ...inspectorTexts(), ...Object.values(pasteTexts)])].toSorted();
    assert.deepEqual(Object.keys(bundle).toSorted(), used);
  });

  it('every call of l10n.t has a literal, so that its text can be found', () => {
    for (const { file, text } of sources) {
      const calls = text.match(/\bl10n\.t\(/g)?.length ?? 0;
      const literal = text.match(/\bl10n\.t\(\s*['"]/g)?.length ?? 0;
      // The inspector's page and what is told of a paste have their texts in tables of their own.
      assert.equal(calls - literal, /(?:inspectorHtml|toldText)\.ts$/.test(file) ? 1 : 0, file);
    }
  });

  it('every key of the manifest is there in both languages, and no other', () => {
    const used = [...new Set(manifestKeys(readJson('package.json')))].toSorted();
    assert.deepEqual(Object.keys(english).toSorted(), used);
    assert.deepEqual(Object.keys(chinese).toSorted(), used);
  });

  it('translations keep the placeholders', () => {
    for (const [text, translation] of Object.entries(bundle))
      assert.deepEqual(placeholders(translation), placeholders(text), text);
    for (const [key, text] of Object.entries(english))
      assert.deepEqual(placeholders(chinese[key]), placeholders(text), key);
  });

  it('Chinese texts are Chinese', () => {
    const names = new Set(['snippet.Authorization', '{0}: {1}', '#', 'HTTP', 'RPC', 'SSE']);
    for (const [key, text] of [...Object.entries(bundle), ...Object.entries(chinese)]) {
      if (!names.has(key)) assert.match(String(text), /\p{Script=Han}/u, key);
    }
  });

  it('no text for people stands bare in the code', () => {
    const shown = [
      /\b(?:showInformationMessage|showWarningMessage|showErrorMessage|progress)\(\s*(?:['"`])/,
      /\b(?:title|placeHolder|placeholder|prompt|label|detail|description|saveLabel|tooltip)\s*[:=]\s*(?:'[^']*[A-Za-z]{3}[^']*\s[^']*'|"[^"]*[A-Za-z]{3}[^"]*\s[^"]*")/,
      /\.markdown\(\s*['"][^'"]*[A-Za-z]{3}/,
    ];
    const allowed = new Set(["'MCP Agent'"]);
    const found = sources.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => {
        const hit = shown.some((pattern) => pattern.test(line));
        return hit && ![...allowed].some((each) => line.includes(each)) ? [`${file}:${index + 1} ${line.trim()}`] : [];
      }),
    );
    assert.deepEqual(found, []);
  });

  it("no text for people stands bare in the inspector's page", () => {
    const styles = globSync('media/inspector/styles/*.css', { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8'),
    );
    const classes = new Set(styles.flatMap((style) => [...style.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name)));
    const isClass = (word: string): boolean =>
      word.endsWith('-') || word.startsWith('codicon') || word === '' || classes.has(word);
    const keys = new Set(['ArrowDown', 'ArrowUp', 'ContextMenu', 'Enter', 'Escape', 'Tab']);
    const found = globSync('media/inspector/*.ts', { cwd: root }).flatMap((file) =>
      literalsOf(readFileSync(join(root, file), 'utf8'))
        .filter((text) => /^[A-Z][a-z]/.test(text) || /[a-z]{2,}[.,:]? [a-z]{2,}/i.test(text))
        .filter((text) => !keys.has(text) && !text.split(' ').every(isClass))
        .map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(found, []);
  });

  it('the manifest has no bare text for people', () => {
    const bare: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (
        typeof value === 'string' &&
        /(?:description|Description|title|errorMessage|ErrorMessage|displayName)$/.test(path)
      ) {
        if (!/^%.*%$/.test(value) && !['MCP Agent'].includes(value)) bare.push(`${path}: ${value}`);
      } else if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${path}[${index}]`));
      else if (isRecord(value)) for (const [name, item] of Object.entries(value)) visit(item, `${path}.${name}`);
    };
    visit(readJson('package.json'), '');
    assert.deepEqual(
      bare.filter((each) => !each.startsWith('.contributes.languageModelTools') && !each.includes('.body.')),
      [],
    );
  });
});

/** The texts of the inspector's page, which its host translates. */
function inspectorTexts(): string[] {
  return Object.values(inspectorStrings).filter((text) => text !== '');
}

/** String and template literals of a program, without the values in them; comments and imports do not count. */
function literalsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^import [\s\S]*?;$|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g)].map(
    ([, single, double, template]) => single ?? double ?? (template ?? '').replaceAll(/\$\{[^}]*\}/g, ''),
  );
}
