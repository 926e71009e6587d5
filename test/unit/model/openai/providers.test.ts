import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ModelEvent } from '../../../../src/model/chatModel.ts';
import { AnswerFault } from '../../../../src/model/openai/answerFault.ts';
import { decodeBytes } from '../../../support/decodeModelStream.ts';

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../../fixtures/model/${name}.sse`, import.meta.url));
}

const calls = { kind: 'finish', reason: 'tool-calls' } as const;
const stop = { kind: 'finish', reason: 'stop' } as const;

/** What each recorded stream says. */
const streams: Record<string, readonly ModelEvent[]> = {
  'openai-tool-calls': [
    {
      kind: 'tool-call',
      id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3',
      name: 'bb7_addUser',
      arguments: { arg0: { email: 'carson@example.com', name: 'Carsön 🌍' } },
    },
    { kind: 'tool-call', id: 'call_T2s0Pl6gD7RcSJ2vhE4n2eXk', name: 'bb7_getUsers', arguments: {} },
    { kind: 'usage', inputTokens: 412, outputTokens: 51, cachedTokens: 256 },
    calls,
  ],
  'openai-text': [
    { kind: 'text-delta', text: '北京 – café 🌍' },
    { kind: 'usage', inputTokens: 412, outputTokens: 51, cachedTokens: 256 },
    stop,
  ],
  'azure-tool-call': [{ kind: 'tool-call', id: 'call_8q0W1q', name: 'bb7_getUsers', arguments: {} }, calls],
  'ollama-tool-calls': [
    { kind: 'reasoning-delta', text: 'The user wants two files.' },
    { kind: 'tool-call', id: 'call_oqrwsqre', name: 'bb7_read', arguments: { path: 'a' } },
    { kind: 'tool-call', id: 'call_w4x0v0ja', name: 'bb7_read', arguments: { path: 'b' } },
    { kind: 'usage', inputTokens: 171, outputTokens: 48 },
    calls,
  ],
  'lmstudio-tool-calls': [
    { kind: 'reasoning-delta', text: '\nOkay, the date first.\n' },
    { kind: 'text-delta', text: 'I look.' },
    { kind: 'tool-call', id: '365174485', name: 'get_current_date', arguments: {} },
    { kind: 'tool-call', id: '114839225', name: 'get_current_time', arguments: { zone: 'UTC' } },
    calls,
  ],
  'llamacpp-tool-call': [
    { kind: 'reasoning-delta', text: 'The list first.' },
    { kind: 'tool-call', id: 'yJsEJNWtUM7ILlAPmKaXlkSYA1LXtkiI', name: 'bb7_getUsers', arguments: { page: 2 } },
    { kind: 'usage', inputTokens: 262, outputTokens: 35, cachedTokens: 236 },
    calls,
  ],
  'vllm-tool-calls': [
    { kind: 'reasoning-delta', text: 'Hmm.' },
    { kind: 'text-delta', text: 'I will look.' },
    { kind: 'tool-call', id: 'chatcmpl-tool-3b1f8d35bd6d4e0a', name: 'bb7_search', arguments: { q: 'x' } },
    { kind: 'tool-call', id: 'chatcmpl-tool-c2f9bb6a57a34c6c', name: 'bb7_getUsers', arguments: {} },
    { kind: 'usage', inputTokens: 196, outputTokens: 21 },
    calls,
  ],
  'openrouter-tool-call': [
    { kind: 'reasoning-delta', text: 'Let me see' },
    { kind: 'text-delta', text: 'I check the list.' },
    { kind: 'tool-call', id: 'toolu_01PUn6AKXuXwP99hvsMycubH', name: 'bb7_getUsers', arguments: {} },
    { kind: 'usage', inputTokens: 544, outputTokens: 81, cachedTokens: 0 },
    calls,
  ],
  'gemini-tool-calls': [
    {
      kind: 'tool-call',
      id: 'jm4owj31',
      name: 'bb7_weather',
      arguments: { location: 'Sydney' },
      extra: { google: { thought_signature: 'EjQKMgEMOdbHJChLX75QUCJjyYlm' } },
    },
    { kind: 'tool-call', id: '3gkqv01x', name: 'bb7_weather', arguments: { location: 'Paris' } },
    { kind: 'usage', inputTokens: 88, outputTokens: 31 },
    calls,
  ],
  'anthropic-tool-calls': [
    { kind: 'text-delta', text: "I'll add Carson now." },
    { kind: 'tool-call', id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name: 'bb7_addUser', arguments: { name: 'Carson' } },
    { kind: 'usage', inputTokens: 420, outputTokens: 69 },
    calls,
  ],
  'groq-tool-call': [
    { kind: 'tool-call', id: 'call_5g2k', name: 'bb7_getUsers', arguments: {} },
    { kind: 'usage', inputTokens: 210, outputTokens: 15 },
    calls,
  ],
  'mistral-tool-call': [
    { kind: 'reasoning-delta', text: 'First the list.' },
    { kind: 'text-delta', text: 'Let me look.' },
    { kind: 'tool-call', id: 'D681PevKs', name: 'bb7_getUsers', arguments: { page: 1 } },
    { kind: 'usage', inputTokens: 94, outputTokens: 28 },
    calls,
  ],
  'deepseek-text': [
    { kind: 'reasoning-delta', text: 'Say hello.' },
    { kind: 'text-delta', text: 'Hello Carson!' },
    { kind: 'usage', inputTokens: 17, outputTokens: 30, cachedTokens: 10 },
    stop,
  ],
};

/** Streams in which the endpoint reports an error, and its words. */
const broken: Record<string, RegExp> = {
  'lmstudio-error': /^The model has crashed without additional information/,
  'openrouter-error': /^Provider disconnected$/,
};

/** The same stream as other servers would write it. */
const spellings: Record<string, (text: string) => string> = {
  'with CR LF line ends': (text) => text.replaceAll('\n', '\r\n'),
  'with CR line ends': (text) => text.replaceAll('\n', '\r'),
  'without a space after the colon': (text) => text.replaceAll('data: ', 'data:'),
  'with a byte order mark': (text) => `\uFEFF${text}`,
  'without the end mark': (text) => text.replace('data: [DONE]\n\n', ''),
  'without the last blank line': (text) => text.replace('data: [DONE]\n\n', '').trimEnd() + '\n',
  'without the last line end': (text) => text.replace('data: [DONE]\n\n', '').trimEnd(),
  'with comments and empty data between': (text) =>
    text.replaceAll('\n\n', '\n\n: ping\n\ndata:\n\ndata: : processing\n\n'),
  'with blank lines missing': (text) => text.replaceAll('\n\n', '\n').replace(/^:.*\n/gm, ''),
};

describe('recorded model streams', () => {
  for (const [name, expected] of Object.entries(streams)) {
    describe(name, () => {
      const bytes = fixture(name);

      it('is decoded', () => {
        assert.deepEqual(decodeBytes([bytes]), expected);
      });

      it('is decoded whichever byte it is cut at', () => {
        for (let at = 1; at < bytes.length; at++) {
          assert.deepEqual(decodeBytes([bytes.subarray(0, at), bytes.subarray(at)]), expected, `cut at ${at}`);
        }
      });

      it('is decoded byte by byte', () => {
        assert.deepEqual(decodeBytes(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))), expected);
      });

      for (const [how, spell] of Object.entries(spellings)) {
        it(`is decoded ${how}`, () => {
          assert.deepEqual(decodeBytes([Buffer.from(spell(bytes.toString('utf8')))]), expected);
        });
      }

      it('is never taken for whole where it is cut off', () => {
        const text = bytes.toString('utf8');
        const finish = text.search(/"finish_reason":"/);
        for (let at = text.indexOf('data:'); at < text.lastIndexOf('data:', finish); at += 7) {
          const events = decodeBytes([Buffer.from(text.slice(0, at))]);
          assert.deepEqual(
            events.filter((event) => event.kind === 'tool-call'),
            [],
          );
          assert.deepEqual(events.at(-1) ?? { kind: 'finish', reason: 'interrupted' }, {
            kind: 'finish',
            reason: 'interrupted',
          });
        }
      });
    });
  }

  for (const [name, message] of Object.entries(broken)) {
    it(`${name} is reported in the endpoint's words`, () => {
      assert.throws(
        () => decodeBytes([fixture(name)]),
        (error) => error instanceof AnswerFault && message.test(error.message),
      );
    });
  }
});
