import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { SizePart, SizeSegment } from '../../src/wire/sizes.ts';
import { element } from './dom.ts';
import { fill, formatBytes } from '../../src/wire/format.ts';

/** The name of a part, for people. */
export function partName(
  { part, server }: { readonly part: SizePart; readonly server?: string },
  strings: InspectorStrings,
): string {
  if (part === 'tools')
    return server === undefined || server === '' ? strings.partTools : fill(strings.partToolsOf, server);
  const names: Readonly<Record<Exclude<SizePart, 'tools'>, string>> = {
    instructions: strings.partInstructions,
    history: strings.partHistory,
    results: strings.partResults,
    user: strings.partUser,
    other: strings.partOther,
  };
  return names[part];
}

/** Colour classes: tools of different servers get shades of one colour. */
export function partClass(segment: SizeSegment, segments: readonly SizeSegment[]): string {
  if (segment.part !== 'tools') return `part part-${segment.part}`;
  const place = segments.filter(({ part }) => part === 'tools').indexOf(segment);
  return `part part-tools part-tools-${place % 4}`;
}

/** A stacked bar; `bytes` of `full` is its length. A label of each part stands in its tooltip and in the legend. */
export function segmentNode(
  segments: readonly SizeSegment[],
  bytes: number,
  full: number,
  strings: InspectorStrings,
): HTMLElement {
  const text = segments.map((segment) => `${partName(segment, strings)} ${formatBytes(segment.bytes)}`).join(', ');
  const bar = element('div', { class: 'stack', role: 'img', 'aria-label': text });
  bar.style.setProperty('width', `${(bytes / Math.max(1, full)) * 100}%`);
  for (const segment of segments) {
    const part = element('span', {
      class: partClass(segment, segments),
      title: `${partName(segment, strings)}: ${formatBytes(segment.bytes)}`,
    });
    part.style.setProperty('flex-grow', String(segment.bytes));
    bar.append(part);
  }
  return bar;
}
