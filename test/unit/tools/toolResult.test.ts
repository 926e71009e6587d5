import assert from 'node:assert/strict';
import { readResult } from '../../../src/tools/toolResult.ts';
import { jpeg, png } from '../../support/images.ts';

const textOf = (result: unknown): string =>
  readResult(result)
    .parts.map((part) => (part.kind === 'text' ? part.text : `<${part.mimeType}>`))
    .join('\n');

const content = (...blocks: unknown[]): unknown => ({ content: blocks });

describe('a tool result', () => {
  it('shows the person what the model is told where its own blocks are empty texts', () => {
    const empty = [{ type: 'text', text: '' }];
    const shown = (result: unknown): unknown => readResult(result).content;
    assert.deepEqual(shown({ content: empty, structuredContent: { total: 36 } }), [
      { type: 'text', text: '{"total":36}' },
    ]);
    assert.match(JSON.stringify(shown({ content: empty, isError: true })), /gave no reason/);
  });

  it('keeps the blocks as they came and reads their text', () => {
    const blocks = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two', annotations: { priority: 1 } },
    ];
    const outcome = readResult({ content: blocks, isError: false });
    assert.deepEqual(outcome.content, blocks);
    assert.equal(outcome.isError, false);
    assert.equal(textOf({ content: blocks }), 'one\ntwo');
  });

  for (const [name, body] of Object.entries({
    'one text': { content: [{ type: 'text', text: 'no such user' }] },
    'two blocks': {
      content: [
        { type: 'text', text: 'no such user' },
        { type: 'text', text: '17' },
      ],
    },
    'structured content alone': { structuredContent: { reason: 'no such user' } },
    'empty content': { content: [] },
    'no content at all': {},
    'empty text': { content: [{ type: 'text', text: '' }] },
  })) {
    it(`is an error with a message for ${name}`, () => {
      const outcome = readResult({ ...body, isError: true });
      assert.equal(outcome.isError, true);
      assert.ok(outcome.content.length > 0);
      assert.match(textOf({ ...body, isError: true }), /no such user|failed and gave no reason/);
    });
  }

  it('gives structured content to the model as JSON when there is nothing else', () => {
    assert.equal(textOf({ content: [], structuredContent: { total: 36 } }), '{"total":36}');
    assert.equal(textOf({ structuredContent: { total: 36 } }), '{"total":36}');
    assert.equal(textOf({ structuredContent: [1, 2] }), '[1,2]');
    assert.deepEqual(readResult({ structuredContent: { total: 36 } }).content, [
      { type: 'text', text: '{"total":36}' },
    ]);
  });

  it('does not repeat structured content that the text tells, and adds what it does not', () => {
    const structuredContent = { users: [{ name: 'Jo "J" Doe', age: 7 }] };
    assert.equal(
      textOf({ content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }),
      JSON.stringify(structuredContent),
    );
    assert.equal(
      textOf({ content: [{ type: 'text', text: 'Found 1 user.' }], structuredContent }),
      `Found 1 user.\n${JSON.stringify(structuredContent)}`,
    );
  });

  it('says so when nothing came', () => {
    for (const result of [
      {},
      { content: [] },
      { content: null },
      null,
      undefined,
      { content: [{ type: 'text', text: '' }] },
    ]) {
      assert.match(textOf(result), /^The tool finished/);
    }
  });

  it('reads what is meant from content that is no list', () => {
    assert.equal(textOf({ content: 'plain' }), 'plain');
    assert.equal(textOf({ content: { type: 'text', text: 'single' } }), 'single');
    assert.equal(textOf({ content: ['a', { type: 'text', text: { b: 1 } }] }), 'a\n{"b":1}');
    assert.equal(textOf({ toolResult: { old: true } }), '{"old":true}');
  });

  it('gives an embedded text resource as text under its address', () => {
    const block = { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: '# Hi' } };
    assert.equal(textOf(content(block)), '[Resource file:///a.md, text/markdown]\n# Hi');
  });

  it('names an embedded binary resource with type and size', () => {
    const blob = Buffer.alloc(1500).toString('base64');
    const block = { type: 'resource', resource: { uri: 'file:///a.zip', mimeType: 'application/zip', blob } };
    assert.equal(textOf(content(block)), '[Resource file:///a.zip, application/zip, 1.5 KB]');
  });

  it('shows an image that is embedded as a resource', () => {
    const block = { type: 'resource', resource: { uri: 'ui://chart', mimeType: 'image/png', blob: png } };
    assert.match(textOf(content(block)), /^\[Resource ui:\/\/chart, image\/png, \d+ bytes\]\n<image\/png>$/);
  });

  it('keeps the details of a link', () => {
    const block = {
      type: 'resource_link',
      uri: 'https://example.com/r.pdf',
      name: 'report',
      mimeType: 'application/pdf',
      size: 2_500_000,
      description: 'Last year',
    };
    assert.equal(
      textOf(content(block)),
      '[Link to resource "report" https://example.com/r.pdf (application/pdf, 2.5 MB)] Last year',
    );
  });

  it('names audio with type and size', () => {
    assert.match(textOf(content({ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' })), /Audio, audio\/wav, 3 bytes/);
  });

  it('names a type that nobody knows, and never prints an object by default', () => {
    const odd = [
      { type: 'hologram', depth: { z: 1 } },
      { depth: 2 },
      7,
      null,
      [1],
      { type: 'resource' },
      { type: 'image' },
    ];
    const text = textOf(content(...odd));
    assert.match(text, /of type "hologram".*\{"type":"hologram","depth":\{"z":1\}\}/);
    assert.doesNotMatch(text, /\[object/);
    assert.equal(readResult(content(...odd)).content.length, odd.length);
  });

  it('leaves out of the model what is for the user alone, and says so when nothing is left', () => {
    const forUser = { type: 'text', text: 'secret sauce', annotations: { audience: ['user'] } };
    const forBoth = { type: 'text', text: 'for all', annotations: { audience: ['user', 'assistant'] } };
    assert.equal(textOf(content(forUser, forBoth)), 'for all');
    assert.match(textOf(content(forUser)), /for the user alone/);
    assert.deepEqual(readResult(content(forUser)).content, [forUser]);
  });

  it('passes images of every type that models have in common', () => {
    for (const [mimeType, bytes] of [
      ['image/png', pngOf(8000, 1)],
      ['image/gif', gif(4, 4)],
      ['image/jpeg', jpegOf(30, 20)],
      ['image/webp', webp('VP8 ', 640, 480)],
      ['image/webp', webp('VP8L', 640, 480)],
      ['image/webp', webp('VP8X', 640, 480)],
    ] as const) {
      const data = bytes.toString('base64');
      const parts = readResult(content({ type: 'image', mimeType: 'image/x', data })).parts;
      assert.deepEqual(parts, [{ kind: 'image', mimeType, data }]);
    }
  });

  it('passes an image with the type of its bytes, whatever the label says', () => {
    const mislabelled = { type: 'image', mimeType: 'image/png', data: jpeg };
    assert.deepEqual(readResult(content(mislabelled)).parts, [{ kind: 'image', mimeType: 'image/jpeg', data: jpeg }]);
    const spaced = {
      type: 'image',
      mimeType: 'image/png',
      data: `data:image/png;base64,${png.slice(0, 20)}\n${png.slice(20)}`,
    };
    assert.deepEqual(readResult(content(spaced)).parts, [{ kind: 'image', mimeType: 'image/png', data: png }]);
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  for (const [name, data, reason] of [
    ['SVG', svg, /SVG is not an image/],
    ['broken Base64', '%%%not base64%%%', /Base64 is broken/],
    ['empty data', '', /holds no data/],
    ['missing data', undefined, /holds no data/],
    ['a number', 7, /holds no data/],
    ['plain bytes', Buffer.from('hello world').toString('base64'), /not PNG, JPEG, GIF or WebP/],
    ['a cut PNG', Buffer.from(png, 'base64').subarray(0, 40).toString('base64'), /cut off or damaged/],
    ['a cut JPEG', Buffer.from(jpeg, 'base64').subarray(0, 30).toString('base64'), /cut off or damaged/],
    ['a cut GIF', gif(9, 9).subarray(0, 13).toString('base64'), /cut off or damaged/],
    ['a GIF without pixels', gif(0, 9).toString('base64'), /cut off or damaged/],
    ['a PNG of 20,000 pixels', pngOf(20_000, 10).toString('base64'), /20000 × 10 pixels are more than a model accepts/],
    ['a GIF of 9,000 pixels', gif(10, 9000).toString('base64'), /10 × 9000 pixels/],
    ['a JPEG of 9,000 pixels', jpegOf(9000, 5).toString('base64'), /9000 × 5 pixels/],
    ['a lossy WebP of 9,000 pixels', webp('VP8 ', 9000, 5).toString('base64'), /9000 × 5 pixels/],
    ['a lossless WebP of 9,000 pixels', webp('VP8L', 9000, 5).toString('base64'), /9000 × 5 pixels/],
    ['an extended WebP of 9,000 pixels', webp('VP8X', 9000, 5).toString('base64'), /9000 × 5 pixels/],
    ['30 MB', 'A'.repeat(40_000_000), /30 MB are more than a model accepts/],
  ] as const) {
    it(`replaces an image of ${name} by a note`, () => {
      const outcome = readResult(content({ type: 'image', mimeType: 'image/png', data }));
      assert.ok(outcome.parts.every(({ kind }) => kind === 'text'));
      assert.match(textOf(content({ type: 'image', mimeType: 'image/png', data })), reason);
    });
  }
});

/** The one pixel PNG with another size in its head. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function gif(width: number, height: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return Buffer.concat([head, Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0, 0x3b])]);
}

/** The one pixel JPEG with another size in its frame. */
function jpegOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg, 'base64');
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x0b]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

function webp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(32, 4);
  bytes.write(`WEBP${form}`, 8, 'latin1');
  if (form === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (form === 'VP8L') {
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}
