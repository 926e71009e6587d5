/** Instructions that words alone carry out: "say hello to Carson", 向 Carson 问好. */
import { unquote } from './findMentions.ts';
import { plain } from './markdown.ts';
import type { Phrases } from './phrases.ts';

const kinds: readonly (readonly [RegExp, 'hello' | 'goodbye' | 'thanks' | 'congratulations' | 'welcome' | 'sorry'])[] =
  [
    [/\b(?:goodbye|good-bye|bye|farewell)\b|再见|道别|告别/i, 'goodbye'],
    [/\bthanks?(?: you)?\b|谢|感谢/i, 'thanks'],
    [/\bcongrat\w*|恭喜|祝贺/i, 'congratulations'],
    [/\bwelcome\b|欢迎/i, 'welcome'],
    [/\b(?:sorry|apologi[sz]e)\b|抱歉|道歉|对不起/i, 'sorry'],
    [/\b(?:hello|hi|hey|greet\w*|good (?:morning|afternoon|evening))\b|问好|打个?招呼|问候|你好|您好/i, 'hello'],
  ];

const opens = /^(?:say|tell|greet|wish|thank|congratulate|welcome|apologi[sz]e|bid|send (?:my |a )?greetings?)\b/i;
const opensChinese =
  /^(?:请)?(?:向|跟|对|和|给|与)(.+?)(?:说一?声|说句?|问一?声?好|打一?个?招呼|问候|道谢|道歉|道别|表示|致)|^(?:问候|欢迎|感谢|恭喜|祝贺)(?:一下)?(.+)|^说(?:一?声|句)?/;

/** The words that carry out `action`; undefined where it wants more than words. */
export function speechAct(action: string, phrases: Phrases): string | undefined {
  const inChinese = opensChinese.exec(action);
  if (!opens.test(action) && inChinese === null) return undefined;
  const quoted = /["“「]([^"”」]+)["”」]/.exec(action);
  const to = inChinese?.[1] ?? inChinese?.[2] ?? recipient(action);
  const name = plain(
    unquote(to.trim())
      .replace(/[.!?。！？]+$/, '')
      .replace(/^(?:me|us|myself|everyone|everybody|我|我们|大家)$/i, ''),
  );
  if (quoted?.[1] !== undefined) return phrases.said(plain(quoted[1]), quoted[1] === to ? '' : name);
  const found = kinds.find(([pattern]) => pattern.test(action));
  if (found !== undefined) return phrases[found[1]](name);
  const words = /^(?:say|说(?:一?声|句)?)\s*(.+?)(?:\s+to\s+.+)?$/i.exec(action)?.[1];
  return words === undefined ? undefined : phrases.said(plain(words), name);
}

function recipient(action: string): string {
  const to = /\b(?:to|for)\s+(.+?)(?:\s+(?:in|at|from|by|with)\b.*)?$/i.exec(action)?.[1];
  return (
    to ??
    /^(?:greet|thank|congratulate|welcome|wish)\s+(.+?)(?:\s+(?:for|on|a|good|in|with)\b.*)?$/i.exec(action)?.[1] ??
    ''
  );
}
