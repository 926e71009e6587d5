/**
 * What runs inside the workbench's page: it reads the chat as plain values. Each function stands alone, because it is
 * sent to the page as text. Types: `inPage.d.ts`. Selectors hold for VS Code 1.133 to 1.139.
 */

/** Reads every chat row that is in the page at the moment; see `ChatRow`. */
export function readChatRows() {
  const clean = (text) => text.replace(/\u00a0/g, ' ').replace(/[\u200b\ufeff]/g, '');

  /** The text of a code editor; its lines stand in the page in any order. */
  const editorText = (editor) =>
    [...editor.querySelectorAll('.view-line')]
      .sort((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top))
      .map((line) => clean(line.textContent))
      .join('\n');

  const blocks = new Set(['P', 'DIV', 'UL', 'OL', 'PRE', 'H1', 'H2', 'H3', 'H4', 'TABLE', 'TR', 'BLOCKQUOTE', 'LI']);

  /** The text of an element as a person reads it, whether it is folded away or not. */
  const textOf = (element) => {
    let text = '';
    const newLine = () => {
      if (text !== '' && !text.endsWith('\n')) text += '\n';
    };
    const visit = (node) => {
      if (node.nodeType === 3 && !((text === '' || text.endsWith('\n')) && node.data.trim() === ''))
        text += clean(node.data).replace(/\s+/g, ' ');
      if (node.nodeType !== 1) return;
      if (node.classList.contains('monaco-editor')) {
        newLine();
        text += `${editorText(node)}\n`;
        return;
      }
      if (node.matches('.interactive-result-code-block-toolbar, .interactive-result-vulns, style, .see-more')) return;
      const block = blocks.has(node.tagName);
      if (block) newLine();
      if (node.tagName === 'LI') text += '- ';
      if (node.tagName === 'BR') text += '\n';
      if (node.tagName === 'IMG') text += `[image ${node.alt}]`;
      if (node.tagName === 'TD' || node.tagName === 'TH') text += ' | ';
      for (const child of node.childNodes) visit(child);
      if (block) newLine();
    };
    visit(element);
    return text
      .split('\n')
      .map((line) => (line.startsWith(' ') && !/^ {2}/.test(line) ? line.trimStart() : line).trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  };

  const labels = (element, selector) =>
    [...element.querySelectorAll(selector)].map((item) => clean(item.textContent).trim());

  const readCard = (element) => {
    const title = element.querySelector('.chat-confirmation-widget-title .chat-title, .chat-confirmation-widget-title');
    const body = element.querySelector('.chat-confirmation-widget-message') ?? element;
    return {
      kind: 'card',
      title: title === null ? '' : textOf(title),
      text: textOf(body),
      buttons: labels(element, '.chat-confirmation-widget-buttons .monaco-button, .chat-buttons .monaco-button').filter(
        (label, index, all) => label !== '' && all.indexOf(label) === index,
      ),
      links: [...body.querySelectorAll('a[data-href]')].map((link) => ({
        label: clean(link.textContent).trim(),
        href: link.dataset.href,
      })),
    };
  };

  const readTool = (element) => {
    const title = element.querySelector(
      '.chat-confirmation-widget-title .monaco-button-mdlabel, .progress-step, .progress-container',
    );
    const body = element.querySelector(
      '.chat-confirmation-widget-message-animation-inner, .chat-confirmation-widget-message',
    );
    const icon = element.querySelector('.codicon');
    const running =
      element.querySelector('.codicon-modifier-spin, .codicon-loading, .codicon-loading-compact, .shimmer-progress') !==
      null;
    const failed = icon !== null && /codicon-(error|warning)/.test(icon.className);
    return {
      kind: 'tool',
      title: textOf(title ?? element),
      state: running ? 'running' : failed ? 'failed' : 'done',
      details: body === null ? '' : textOf(body),
      images: element.querySelectorAll(
        '.chat-confirmation-widget-message-animation-inner img, .chat-collapsible-io-resource-group img, img',
      ).length,
    };
  };

  const known = [
    ['.chat-confirmation-widget2', readCard],
    [
      '.chat-tool-invocation-part',
      (element) =>
        element.querySelector('.chat-buttons, .chat-confirmation-widget-buttons') === null
          ? readTool(element)
          : readCard(element),
    ],
    ['.chat-confirmation-widget:not(.chat-confirmation-widget-collapsible)', readCard],
    ['.chat-notification-widget', (element) => ({ kind: 'error', text: textOf(element) })],
    ['.chat-quota-error-widget, .chat-error-widget', (element) => ({ kind: 'error', text: textOf(element) })],
    ['.chat-command-button', (element) => ({ kind: 'buttons', labels: labels(element, '.monaco-button') })],
    ['.progress-container', (element) => ({ kind: 'progress', text: textOf(element) })],
    ['.chat-markdown-part, .rendered-markdown', (element) => ({ kind: 'text', text: textOf(element) })],
  ];
  const skipped =
    '.chat-used-context, .completed-response-summary, .interactive-response-progress-tree, .chat-mcp-servers-interaction';

  const readParts = (parent, parts) => {
    for (const child of parent.children) {
      if (child.matches(skipped)) continue;
      const found = known.find(([selector]) => child.matches(selector));
      if (found === undefined) readParts(child, parts);
      else parts.push(found[1](child));
    }
    return parts;
  };

  const rows = [...document.querySelectorAll('.interactive-session .monaco-list-rows > .monaco-list-row')];
  return rows.map((row) => {
    const item = row.querySelector('.interactive-item-container');
    const value = row.querySelector('.value');
    const isRequest = row.querySelector('.interactive-request') !== null;
    const base = { index: Number(row.dataset.index), spoken: row.ariaLabel ?? '' };
    if (isRequest) return { ...base, kind: 'request', text: value === null ? '' : textOf(value) };
    return {
      ...base,
      kind: 'response',
      author: clean(row.querySelector('.username')?.textContent ?? ''),
      loading: item !== null && item.classList.contains('chat-response-loading'),
      collapsed: row.querySelector('details.completed-response-disclosure:not([open])') !== null,
      parts: value === null ? [] : readParts(value, []).filter((part) => part.kind !== 'text' || part.text !== ''),
    };
  });
}

/** Reads the rows of an open quick pick that are in the page; see `QuickPickRow`. */
export function readQuickPickRows() {
  const text = (row, selector) =>
    [...row.querySelectorAll(selector)]
      .map((element) => element.textContent.replace(/\u00a0/g, ' ').trim())
      .filter(Boolean)
      .join(' ');
  return [...document.querySelectorAll('.quick-input-widget .quick-input-list .monaco-list-row')].map((row) => ({
    index: Number(row.dataset.index),
    label: text(row, '.quick-input-list-row:first-child .label-name'),
    description: text(row, '.quick-input-list-row:first-child .label-description'),
    detail: text(row, '.quick-input-list-label-meta'),
    separator: text(row, '.quick-input-list-separator'),
    spoken: row.ariaLabel ?? '',
  }));
}

/** The index of the focused row of an open quick pick. */
export function readFocusedRow() {
  const row = document.querySelector('.quick-input-widget .quick-input-list .monaco-list-row.focused');
  return row === null || row.offsetParent === null ? undefined : Number(row.dataset.index);
}
