/** Follows a conversation in the chat: prints each part when it is whole, and allows what is asked. */
import type { ChatPart, ChatTurn } from '../../test/support/host/chat.ts';
import { describePart } from '../../test/support/host/chat.ts';
import type { VsCodeHost } from '../../test/support/host/vsCodeHost.ts';

/** How a conversation is followed. */
export interface FollowOptions {
  readonly print: (text: string) => void;
  /** Is awaited before a card is allowed, for pictures. */
  readonly onCard: (number: number) => Promise<void>;
  /** How long the whole answer may take, in ms. */
  readonly limitMs: number;
}

/** How many cards one task may bring; more is a loop. */
const maxCards = 20;

/** Follows the newest turn to its end, and gives it. Throws when it takes too long or asks too often. */
export async function followTurn(host: VsCodeHost, options: FollowOptions): Promise<ChatTurn> {
  const end = Date.now() + options.limitMs;
  let printed = 0;
  for (let cards = 0; ;) {
    const turn = await host.chat.lastTurn();
    const whole = turn.parts.filter((part, index) => isWhole(part, index, turn));
    const upTo = firstOpen(turn, whole);
    for (; printed < upTo; printed += 1) printPart(turn.parts[printed], options.print);
    if (turn.state === 'complete') return turn;
    if (Date.now() > end) throw new Error(`No answer within ${options.limitMs / 1000} s`);
    if (turn.state === 'waiting') {
      cards += 1;
      if (cards > maxCards) throw new Error(`More than ${maxCards} cards asked for approval`);
      await allowCard(host, turn, options, cards);
    } else await host.page.waitForTimeout(250);
  }
}

function isWhole(part: ChatPart, index: number, turn: ChatTurn): boolean {
  if (turn.state === 'complete') return true;
  if (part.kind === 'card') return false;
  if (part.kind === 'tool') return part.state !== 'running';
  return index < turn.parts.length - 1;
}

/** How many parts from the start are whole. */
function firstOpen(turn: ChatTurn, whole: readonly ChatPart[]): number {
  const open = turn.parts.findIndex((part) => !whole.includes(part));
  return open < 0 ? turn.parts.length : open;
}

function printPart(part: ChatPart | undefined, print: (text: string) => void): void {
  if (part !== undefined) print(describePart(part));
}

async function allowCard(host: VsCodeHost, turn: ChatTurn, options: FollowOptions, number: number): Promise<void> {
  const card = turn.parts.find((part) => part.kind === 'card');
  if (card?.kind !== 'card') return;
  options.print(describePart(card));
  await options.onCard(number);
  const allow = card.buttons.find((label) => /^(allow|允许)/i.test(label)) ?? card.buttons[0];
  if (allow === undefined) throw new Error(`The card "${card.title}" has no button`);
  options.print(`  → ${allow}`);
  await host.chat.answerCard(allow);
}
