/** The Chat view in the page: type, read, answer cards, wait. */
import type { Locator } from 'playwright-core';
import { press, tryClick } from './clicks.ts';
import { type CardPart, type ChatPart, type ChatRow, readChatRows } from './inPage.js';
import { appearLimitMs, type Workbench } from './workbench.ts';

export type { CardPart, ChatPart, ChatRow, ToolPart } from './inPage.js';

/** One question and its answer. `state` is `waiting` while a card asks. */
export interface ChatTurn {
  readonly prompt: string;
  readonly state: 'running' | 'waiting' | 'complete';
  readonly parts: readonly ChatPart[];
}

/** How often the page is looked at while waiting, in ms. */
const pollMs = 150;

/** The Chat view as a person uses it. */
export class Chat {
  readonly #workbench: Workbench;
  /** Rows by index; a row that scrolled out of the page keeps what was read last. */
  readonly #rows = new Map<number, ChatRow>();

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** The whole Chat view, for screenshots. */
  get view(): Locator {
    return this.#workbench.page.locator('.interactive-session').first();
  }

  /** Opens the Chat view and waits until it has a model, so that the first message reaches the participant. */
  async open(): Promise<void> {
    await this.#workbench.runCommand('Chat: Open Chat');
    await this.#input.waitFor({ state: 'visible', timeout: appearLimitMs });
    await this.modelReady();
  }

  /** Gives the Chat view `pixels` of width, by dragging its border as a person does. */
  async widen(pixels: number): Promise<void> {
    const { page } = this.#workbench;
    const box = await page.locator('.part.auxiliarybar').first().boundingBox();
    if (box === null) throw new Error('The Chat view is not shown');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x - 1, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - pixels, y, { steps: 5 });
    await page.mouse.up();
    // Away from the border, which would stay highlighted.
    await page.mouse.move(box.x + box.width - pixels / 2, y);
  }

  /** Starts an empty conversation. */
  async startNew(): Promise<void> {
    // "New Chat" is in no palette of every version; the button is.
    const button = this.#workbench.page.locator('.action-label.codicon-plus[aria-label^="New Chat"]').first();
    await button.click({ timeout: appearLimitMs });
    this.#rows.clear();
    await this.#workbench.page.waitForFunction(
      `document.querySelectorAll('.interactive-session .monaco-list-rows > .monaco-list-row').length === 0`,
      undefined,
      { polling: pollMs, timeout: appearLimitMs },
    );
  }

  /** Waits until the model picker names a model, and gives its name. */
  async modelReady(): Promise<string> {
    const label = this.#workbench.page
      .locator('.interactive-session .model-picker-name .chat-input-picker-label')
      .first();
    await this.#workbench.page.waitForFunction(
      `(() => { const label = document.querySelector('.interactive-session .model-picker-name .chat-input-picker-label'); return label !== null && !['', 'Models', 'Auto'].includes(label.textContent.trim()); })()`,
      undefined,
      { polling: pollMs, timeout: appearLimitMs },
    );
    return (await label.innerText()).trim();
  }

  /** Chooses a model in the picker by its shown name. */
  async chooseModel(name: string): Promise<void> {
    const page = this.#workbench.page;
    const widget = page.locator('.context-view .action-widget, .action-widget').first();
    const row = widget.locator('.monaco-list-row', { hasText: name }).first();
    const search = widget.locator('input').first();
    const shown = page.locator('.interactive-session .model-picker-name .chat-input-picker-label', { hasText: name });
    // The list may be drawn anew under a click, so it is made again until it has told; a list that was opened before the
    // model was known does not learn of it, so it is opened again now and then.
    let looks = 0;
    await this.#until(`the model ${name} in the picker`, async () => {
      if ((await shown.count()) > 0) return true;
      if (!(await widget.isVisible())) await tryClick(page.locator('.interactive-session .model-picker-name').first());
      // Models that were not used yet are folded away; a search finds them.
      else if (await row.isVisible()) await row.dispatchEvent('click');
      else if ((await search.isVisible()) && (await search.inputValue()) !== name) await search.fill(name);
      else if (++looks % 10 === 0) await page.keyboard.press('Escape');
      await page.waitForTimeout(300);
      return undefined;
    });
  }

  /** Types a message in place of what stands in the input; `delayMs` between keys for one who watches. */
  async type(text: string, delayMs = 0): Promise<void> {
    const { keyboard } = this.#workbench.page;
    await this.#input.focus({ timeout: appearLimitMs });
    await keyboard.press('ControlOrMeta+A');
    await keyboard.press('Delete');
    await keyboard.type(text, { delay: delayMs });
  }

  /** Types a message and sends it; resolves when the conversation shows it. */
  async send(text: string, delayMs = 0): Promise<void> {
    const before = lastIndex(await this.rows());
    await this.type(text, delayMs);
    await this.submit(before);
  }

  /** Sends what stands in the input; resolves when the conversation has a row beyond `after`. */
  async submit(after = -1): Promise<void> {
    const { page } = this.#workbench;
    if (await page.locator('.suggest-widget.visible').first().isVisible()) await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await this.#until(`a new row after ${after}`, (rows) => (lastIndex(rows) > after ? true : undefined));
  }

  /** All rows read so far, in order. */
  async rows(): Promise<ChatRow[]> {
    for (const row of await this.#workbench.page.evaluate(readChatRows)) this.#rows.set(row.index, row);
    return [...this.#rows.values()].sort((one, other) => one.index - other.index);
  }

  /** The conversation, turn by turn. */
  async read(): Promise<ChatTurn[]> {
    const turns: { prompt: string; state: ChatTurn['state']; parts: readonly ChatPart[] }[] = [];
    for (const row of await this.rows()) {
      if (row.kind === 'request') turns.push({ prompt: row.text, state: 'running', parts: [] });
      const turn = turns.at(-1);
      if (row.kind === 'request' || turn === undefined) continue;
      turn.parts = row.parts;
      turn.state = stateOf(row);
    }
    return turns;
  }

  /** The newest turn. Throws when nothing was sent. */
  async lastTurn(): Promise<ChatTurn> {
    const turn = (await this.read()).at(-1);
    if (turn === undefined) throw new Error('The chat is empty');
    return turn;
  }

  /** Waits until the newest turn waits for an answer to a card or is complete. */
  async settled(limitMs = 60_000): Promise<ChatTurn> {
    await this.#until('a card or the end of the answer', (rows) => lastState(rows) !== 'running' || undefined, limitMs);
    return this.lastTurn();
  }

  /** Waits until the newest answer is complete, and gives its turn. */
  async answered(limitMs = 60_000): Promise<ChatTurn> {
    await this.#until('the end of the answer', (rows) => lastState(rows) === 'complete' || undefined, limitMs);
    return this.lastTurn();
  }

  /** Waits for a card that asks (whose title or text contains `text`). */
  async card(text = '', limitMs = 60_000): Promise<CardPart> {
    return this.#until(`a card with "${text}"`, (rows) => cardsOf(rows.at(-1)).find(contains(text)), limitMs);
  }

  /** Clicks a button (`Allow Once`, `Skip`, …) of the card that contains `text`, and waits until the card is gone. */
  async answerCard(button: string, text = ''): Promise<void> {
    await this.card(text);
    const card = this.#cardElement(text);
    const element = await card.elementHandle({ timeout: appearLimitMs });
    await press(
      card.locator('.chat-buttons, .chat-confirmation-widget-buttons').getByText(button, { exact: true }).first(),
    );
    // Another card may stand in its place at once, so it is this element that has to go.
    await this.#until('the card to go', async () => {
      const asks = await element?.evaluate((node) => node.isConnected && node.querySelector('.chat-buttons') !== null);
      return asks === true ? undefined : true;
    });
  }

  /** Clicks a link of the card that contains `text`. */
  async clickCardLink(link: string, text = ''): Promise<void> {
    await this.card(text);
    const card = this.#cardElement(text);
    const showMore = card.locator('.message.can-see-more .see-more a').first();
    if (await showMore.isVisible()) await showMore.click({ timeout: appearLimitMs });
    await card.locator('a[data-href]', { hasText: link }).first().click({ timeout: appearLimitMs });
  }

  /** Clicks a button of the newest answer (`Continue` …), or a link in its text. */
  async click(label: string): Promise<void> {
    const row = this.view.locator('.monaco-list-rows > .monaco-list-row.response').last();
    const target = row.locator('.monaco-button, a[data-href]').filter({ hasText: label }).last();
    await press(target);
  }

  /** Presses the Stop button. */
  async stop(): Promise<void> {
    await this.view.locator('.chat-execute-toolbar .codicon-stop-circle').first().click({ timeout: appearLimitMs });
  }

  /** Unfolds a finished answer's steps and every tool row in it, so that `read()` has their input and output. */
  async unfold(): Promise<void> {
    const row = this.view.locator('.monaco-list-rows > .monaco-list-row.response').last();
    const summary = row.locator('details.completed-response-disclosure:not([open]) > summary');
    if ((await summary.count()) > 0) await press(summary.first());
    const folded = row.locator('.chat-confirmation-widget-collapsible.collapsed .chat-confirmation-widget-title');
    for (let left = await folded.count(); left > 0; left -= 1) await folded.first().dispatchEvent('click');
    await this.#until('unfolded rows', async () => ((await folded.count()) === 0 ? true : undefined));
  }

  get #input(): Locator {
    return this.view
      .locator('.interactive-input-editor .native-edit-context, .interactive-input-editor textarea')
      .first();
  }

  #cardElement(text: string): Locator {
    const cards = this.view.locator(
      '.chat-confirmation-widget2:has(.chat-buttons), .chat-confirmation-widget:has(.chat-buttons)',
    );
    return (text === '' ? cards : cards.filter({ hasText: text })).last();
  }

  async #until<T>(
    what: string,
    look: (rows: ChatRow[]) => T | undefined | Promise<T | undefined>,
    limitMs = appearLimitMs,
  ): Promise<T> {
    const end = Date.now() + limitMs;
    for (;;) {
      const found = await look(await this.rows());
      if (found !== undefined) return found;
      if (Date.now() > end)
        throw new Error(`Waited ${limitMs} ms for ${what}; the chat shows:\n${describeTurns(await this.read())}`);
      await this.#workbench.page.waitForTimeout(pollMs);
    }
  }
}

/** The cards of an answer that still wait. */
function cardsOf(row: ChatRow | undefined): CardPart[] {
  if (row?.kind !== 'response') return [];
  return row.parts.flatMap((part) => (part.kind === 'card' && part.buttons.length > 0 ? [part] : []));
}

function contains(text: string): (card: CardPart) => boolean {
  return (card) => card.title.includes(text) || card.text.includes(text);
}

function stateOf(row: ChatRow): ChatTurn['state'] {
  if (row.kind === 'request') return 'running';
  if (cardsOf(row).length > 0) return 'waiting';
  return row.loading ? 'running' : 'complete';
}

function lastState(rows: readonly ChatRow[]): ChatTurn['state'] {
  const last = rows.at(-1);
  return last === undefined ? 'running' : stateOf(last);
}

function lastIndex(rows: readonly ChatRow[]): number {
  return rows.at(-1)?.index ?? -1;
}

/** One part as a line or more of plain text. */
export function describePart(part: ChatPart): string {
  switch (part.kind) {
    case 'text':
    case 'progress':
      return part.text;
    case 'error':
      return `ERROR ${part.text}`;
    case 'buttons':
      return part.labels.map((label) => `[${label}]`).join(' ');
    case 'tool':
      return `${mark[part.state]} ${part.title}${part.details === '' ? '' : `\n${indent(part.details)}`}`;
    case 'card':
      return `? ${part.title}\n${indent(part.text)}\n  ${part.buttons.map((label) => `[${label}]`).join(' ')}`;
  }
}

const mark = { running: '…', done: '✓', failed: '✗' } as const;

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}

/** The conversation as plain text, for transcripts and for errors. */
export function describeTurns(turns: readonly ChatTurn[]): string {
  return turns.map(({ prompt, parts }) => [`> ${prompt}`, ...parts.map(describePart)].join('\n\n')).join('\n\n');
}
