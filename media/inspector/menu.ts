import { element, icon } from './dom.ts';

/** One entry of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: string;
  /** Absent for a line between groups. */
  readonly run?: () => void;
}

/** A menu at a place of the page. Arrow keys move, Escape or a click elsewhere closes it and gives the focus back. */
export function openMenu(items: readonly MenuItem[], x: number, y: number): void {
  const before = document.activeElement;
  const close = (): void => {
    layer.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  const buttons = items.map((item) => menuNode(item, close));
  const menu = element('div', { class: 'menu', role: 'menu' }, ...buttons);
  const layer = element('div', { class: 'menu-layer' }, menu);
  layer.addEventListener('mousedown', (event) => event.target === layer && close());
  layer.addEventListener('contextmenu', (event) => event.preventDefault());
  menu.addEventListener('keydown', (event) => onKey(event, menu, close));
  (document.querySelector('main') ?? document.body).append(layer);
  const box = menu.getBoundingClientRect();
  menu.style.setProperty('left', `${Math.max(4, Math.min(x, window.innerWidth - box.width - 4))}px`);
  menu.style.setProperty('top', `${Math.max(4, Math.min(y, window.innerHeight - box.height - 4))}px`);
  focusables(menu)[0]?.focus();
}

function menuNode(item: MenuItem, close: () => void): HTMLElement {
  const { run } = item;
  if (!run) return element('div', { class: 'menu-line', role: 'separator' });
  const button = element(
    'button',
    { class: 'menu-item', role: 'menuitem', type: 'button', tabindex: -1 },
    icon(item.icon ?? 'blank'),
    item.label,
  );
  button.addEventListener('click', () => {
    close();
    run();
  });
  return button;
}

function focusables(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

function onKey(event: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  const items = focusables(menu);
  const now = items.findIndex((item) => item === document.activeElement);
  const targets: Readonly<Record<string, number>> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 };
  const target = targets[event.key];
  if (target !== undefined) items.at(target % items.length)?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
