/** What the planner says, in English and Chinese. Arguments are ready Markdown. */

const english = {
  step: (number: number, total: number, what: string): string => `**Step ${number} of ${total}:** ${what}`,
  looking: (what: string, tool: string): string => `To judge “${what}” I look with ${tool} first.`,
  answered: (tool: string, text: string): string => `${tool} answered ${text}.`,
  answeredEntries: (tool: string, count: number, text: string): string =>
    `${tool} returned ${count} ${count === 1 ? 'entry' : 'entries'}: ${text}`,
  answeredNothing: (tool: string): string => `${tool} answered with nothing.`,
  images: (count: number): string => `${count} ${count === 1 ? 'image' : 'images'}`,
  failed: (tool: string, text: string): string => `${tool} did not succeed: ${text}`,
  refused: (tool: string): string => `You did not allow ${tool}, so it was not run.`,
  present: (subject: string, tool: string): string => `${subject} is in the result of ${tool}.`,
  absent: (subject: string, tool: string): string => `${subject} is not in the result of ${tool}.`,
  empty: (tool: string): string => `The result of ${tool} is empty.`,
  filled: (tool: string): string => `The result of ${tool} is not empty.`,
  succeeded: (tool: string): string => `${tool} succeeded.`,
  counted: (count: number): string => `The figure is ${count}.`,
  says: (subject: string, tool: string, does: boolean): string =>
    `The result of ${tool} ${does ? 'says' : 'does not say'} ${subject}.`,
  unknown: (what: string): string => `I cannot tell from the results whether this holds: “${what}”.`,
  skipped: (what: string): string => `So I leave out: “${what}”.`,
  nothingToCheck: (what: string): string => `Nothing was changed, so there is nothing to check: “${what}”.`,
  blocked: (what: string): string => `Not done, because a step before it did not succeed: “${what}”.`,
  unsure: (what: string): string => `Not done, because its condition could not be judged: “${what}”.`,
  unfit: (what: string): string => `None of the offered tools fits “${what}”.`,
  nearest: (tools: string): string => `The nearest are ${tools}.`,
  ask: (names: string, tool: string): string => `Which ${names} shall I pass to ${tool}?`,
  tooLong: (limit: number): string =>
    `Your request is longer than the ${limit} characters that I read. Nothing was done.`,
  dropped: 'All right, I leave it there.',
  summary: '**Summary**',
  summaryCalled: (tool: string, text: string): string => `${tool}: ${text}`,
  summaryFailed: (tool: string, text: string): string => `${tool} failed: ${text}`,
  summaryRefused: 'you did not allow it',
  summarySkipped: (what: string): string => `left out: ${what}`,
  summaryUndone: (what: string): string => `not done: ${what}`,
  entries: (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`,
  self: 'I am the built-in planner: a set of rules, not a language model. I match the words of your request to the offered tools, fill their arguments from what you write, and judge “if …” by the results.',
  choose:
    'For a real model, set `mcpAgent.endpoints` to an OpenAI-compatible endpoint (a key goes in with the command “MCP Agent: Set API Key”) or pick another model in the chat.',
  noTools: 'No tools are offered at the moment, so there is nothing that I can carry out.',
  offered: (count: number, tools: string): string =>
    `Offered now: ${count} ${count === 1 ? 'tool' : 'tools'}, among them ${tools}.`,
  hello: (name: string): string => (name === '' ? 'Hello!' : `Hello, ${name}!`),
  goodbye: (name: string): string => (name === '' ? 'Goodbye!' : `Goodbye, ${name}!`),
  thanks: (name: string): string => (name === '' ? 'Thank you!' : `Thank you, ${name}!`),
  congratulations: (name: string): string => (name === '' ? 'Congratulations!' : `Congratulations, ${name}!`),
  welcome: (name: string): string => (name === '' ? 'Welcome!' : `Welcome, ${name}!`),
  sorry: (name: string): string => (name === '' ? 'Sorry!' : `Sorry, ${name}!`),
  said: (words: string, name: string): string => (name === '' ? words : `${name}: ${words}`),
};

type Phrases = typeof english;

const mandarin: Phrases = {
  step: (number, total, what) => `**第 ${number} 步，共 ${total} 步：** ${what}`,
  looking: (what, tool) => `为了判断“${what}”，先用 ${tool} 查看。`,
  answered: (tool, text) => `${tool} 返回：${text}`,
  answeredEntries: (tool, count, text) => `${tool} 返回 ${count} 条：${text}`,
  answeredNothing: (tool) => `${tool} 没有返回内容。`,
  images: (count) => `${count} 张图片`,
  failed: (tool, text) => `${tool} 没有成功：${text}`,
  refused: (tool) => `你没有允许 ${tool}，因此没有运行。`,
  present: (subject, tool) => `${tool} 的结果里有 ${subject}。`,
  absent: (subject, tool) => `${tool} 的结果里没有 ${subject}。`,
  empty: (tool) => `${tool} 的结果为空。`,
  filled: (tool) => `${tool} 的结果不为空。`,
  succeeded: (tool) => `${tool} 已成功。`,
  counted: (count) => `数值是 ${count}。`,
  says: (subject, tool, does) => `${tool} 的结果${does ? '显示' : '没有显示'} ${subject}。`,
  unknown: (what) => `从结果无法判断：“${what}”。`,
  skipped: (what) => `因此跳过：“${what}”。`,
  nothingToCheck: (what) => `没有任何改动，无需检查：“${what}”。`,
  blocked: (what) => `前面的步骤没有成功，因此没有执行：“${what}”。`,
  unsure: (what) => `条件无法判断，因此没有执行：“${what}”。`,
  unfit: (what) => `没有合适的工具来完成“${what}”。`,
  nearest: (tools) => `最接近的是 ${tools}。`,
  ask: (names, tool) => `请告诉我：传给 ${tool} 的 ${names} 是什么？`,
  tooLong: (limit) => `您的请求超过了我能读取的 ${limit} 个字符，因此没有执行任何操作。`,
  dropped: '好的，到此为止。',
  summary: '**小结**',
  summaryCalled: (tool, text) => `${tool}：${text}`,
  summaryFailed: (tool, text) => `${tool} 失败：${text}`,
  summaryRefused: '你没有允许',
  summarySkipped: (what) => `跳过：${what}`,
  summaryUndone: (what) => `未执行：${what}`,
  entries: (count) => `${count} 条`,
  self: '我是内置的规划器：一组规则，不是语言模型。我按词语把请求对应到可用的工具，从你写的内容里填写参数，并根据结果判断“如果……”。',
  choose:
    '如需真正的模型，请在设置 `mcpAgent.endpoints` 中填写兼容 OpenAI 的端点（用命令“MCP Agent: Set API Key”保存密钥），或在聊天中选择其他模型。',
  noTools: '目前没有可用的工具，所以我无法执行任何操作。',
  offered: (count, tools) => `现在有 ${count} 个工具，例如 ${tools}。`,
  hello: (name) => (name === '' ? '你好！' : `你好，${name}！`),
  goodbye: (name) => (name === '' ? '再见！' : `再见，${name}！`),
  thanks: (name) => (name === '' ? '谢谢！' : `谢谢你，${name}！`),
  congratulations: (name) => (name === '' ? '恭喜！' : `恭喜，${name}！`),
  welcome: (name) => (name === '' ? '欢迎！' : `欢迎，${name}！`),
  sorry: (name) => (name === '' ? '抱歉！' : `抱歉，${name}！`),
  said: (words, name) => (name === '' ? words : `${name}：${words}`),
};

/** The wording of a language. */
export function phrasesFor(language: 'en' | 'zh'): Phrases {
  return language === 'zh' ? mandarin : english;
}

export type { Phrases };
