/** What the planner knows of English and Chinese: general words only, nothing of any particular server. */

/** What a step or a tool does to the world. `read` leaves it as it is; `other` may do either. */
export type Intent = 'read' | 'create' | 'delete' | 'update' | 'send' | 'other';

const verbLists: Readonly<Record<Intent, string>> = {
  read: 'list get show check find search look see view fetch read query retrieve count describe display tell browse print return inspect verify confirm ensure determine lookup examine select summarize compare calculate compute what who which where when how whats',
  create: 'add create insert register make append record new schedule book save write store upload put',
  delete: 'delete remove drop erase clear destroy uninstall cancel unregister',
  update:
    'update edit change modify set rename replace patch move turn toggle switch dim lock unlock enable disable close increase decrease adjust convert resize merge assign mark',
  send: 'send notify mail publish reply forward share greet say',
  other:
    'run execute start stop navigate visit take capture checkout scale borrow click type trigger launch invoke call perform simulate open play echo test try use copy download compress gzip zip commit push pull help go give ask sum multiply subtract divide translate reset pause resume restart',
};

/** Verb → intent. */
export const verbs: ReadonlyMap<string, Intent> = new Map(
  intents().flatMap((intent) => verbLists[intent].split(' ').map((verb): [string, Intent] => [verb, intent])),
);

function intents(): Intent[] {
  return ['other', 'send', 'update', 'delete', 'create', 'read'];
}

/** Verbs that are as often nouns: they begin a step only before an object ("and count the …"). */
export const nounLike: ReadonlySet<string> = new Set(
  'list look record scale click type query count display return book store set change switch turn share call test play run start stop echo copy commit push pull help new open close view search find print save mail reply forward use try mark patch move lock drop what who which where when how whats sum reset give go clear'.split(
    ' ',
  ),
);

/** Words that stand for each other; a match through a group counts less than the word itself. */
const groups = [
  'user person people member account contact employee customer who',
  'file document',
  'directory folder dir',
  'image picture photo logo',
  'email mail e-mail',
  'repository repo',
  'event meeting appointment',
  'task todo',
  'issue ticket bug',
  'light lamp bulb',
  'environment env variable',
  'sum total add plus',
  'database db',
  'weather forecast temperature rain raining rainy snow snowing sunny sun wind windy',
  'temperature thermostat heating cold colder warm warmer hot hotter degrees',
  'navigate go visit open browse',
  'checkout switch',
  'info information detail metadata',
  'message text note',
  'number figure',
  'search find lookup query look',
  'list show get fetch retrieve view display print return see check tell look what',
  'read open show get view',
  'describe show view inspect explain',
  'check verify inspect get status',
  'add create insert new register make append schedule book',
  'delete remove drop erase clear destroy cancel',
  'update edit change modify set replace',
  'rename move',
  'write save store put create',
  'run execute trigger start launch perform invoke call query',
  'send post notify publish',
  'content text',
  'log history',
  'commit change',
  'turn switch set toggle control',
  'size big large',
  'time clock when',
  'location place city where',
  'sql query statement database',
  'greet hello greeting say',
  'volume loudness',
  'tree recursive hierarchy',
  'path file',
  'gzip zip compress',
  'graph knowledge',
  'node entity',
];

const stems = new Map<string, string>();
const groupIndex = new Map<string, number[]>();
groups.forEach((group, index) => {
  for (const word of group.split(' ')) groupIndex.set(stem(word), [...(groupIndex.get(stem(word)) ?? []), index]);
});

/** The groups of a stem, by number. */
export function groupsOf(stemmed: string): readonly number[] {
  return groupIndex.get(stemmed) ?? [];
}

/** Words that carry no subject. */
export const stopWords: ReadonlySet<string> = new Set(
  'a an the of to in on at for from by with without and or but as is are was were be been it its this that these those there here me my mine i we you your he she him her his they them their our us please can could would should will do does did have has had not no if then all any some each every again also just about into out up down over so than too very via using named called first last next new let want need like new one my current now whether within inside off s t exist exists present name value tool mcp demonstrates'.split(
    ' ',
  ),
);

/** Cuts an English word to a stem that its other forms share ("directories" → "directory", "created" → "creat"). */
export function stem(word: string): string {
  const found = stems.get(word);
  if (found !== undefined) return found;
  const cut = cutEnding(word);
  if (stems.size > 5000) stems.clear();
  stems.set(word, cut);
  return cut;
}

function cutEnding(word: string): string {
  let cut = word;
  if (cut.length > 5 && cut.endsWith('ied')) cut = `${cut.slice(0, -3)}y`;
  else if (cut.length > 4 && cut.endsWith('ies')) cut = `${cut.slice(0, -3)}y`;
  else if (cut.length > 4 && /(?:s|x|ch|sh)es$/.test(cut)) cut = cut.slice(0, -2);
  else if (cut.length > 3 && /[^su]s$/.test(cut) && !cut.endsWith('is')) cut = cut.slice(0, -1);
  else if (cut.length > 5 && cut.endsWith('ing')) cut = undouble(cut.slice(0, -3));
  else if (cut.length > 4 && cut.endsWith('ed')) cut = undouble(cut.slice(0, -2));
  return cut.length > 3 && cut.endsWith('e') ? cut.slice(0, -1) : cut;
}

function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

const lexicon =
  '查看 view|查询 query search|检查 check|看看 see|看一下 see|看 see|查 check|列出 list|列举 list|显示 show|展示 show|获取 get|取得 get|得到 get|拿到 get|返回 return|读取 read|阅读 read|读 read|打开 open on|查找 find|寻找 find|搜索 search|搜 search|找到 find|找 find|确认 confirm|验证 verify|统计 count|计算 calculate|' +
  '添加 add|新增 add|增加 add|加入 add|创建 create|新建 create|建立 create|注册 register|插入 insert|安排 schedule|预订 book|预约 book|追加 append|' +
  '删除 delete|删掉 delete|移除 remove|去掉 remove|清除 clear|清空 clear|取消 cancel|更新 update|修改 update|编辑 edit|更改 change|改为 change|改成 change|设置 set|设为 set|设成 set|调到 set|调成 set|调整 adjust|替换 replace|重命名 rename|移动 move|移到 move|切换 toggle|关闭 turn off|关掉 turn off|开启 turn on|启用 enable|禁用 disable|锁上 lock|锁 lock|' +
  '写入 write|写 write|保存 save|存 save|发送 send|发给 send|发 send|通知 notify|运行 run|执行 run|启动 start|触发 trigger|调用 call|模拟 simulate|压缩 compress|复制 copy|提交 commit|推送 push|拉取 pull|回显 echo|问好 greet|打招呼 greet|问候 greet|' +
  '求和 sum|相加 add sum|总和 sum|之和 sum|加 add|和是 sum|用户 user|人员 person|成员 member|账户 account|账号 account|联系人 contact|客户 customer|文件夹 directory|文件 file|文档 document|目录 directory|列表 list|清单 list|名单 list|天气 weather|预报 forecast|气温 temperature|温度 temperature|日历 calendar|日程 event|事件 event|活动 event|会议 meeting|灯光 light|灯 light|数据库 database|数据 data|表 table|分支 branch|状态 status|仓库 repository|图谱 graph|图片 image|图像 image|照片 photo|知识 knowledge|实体 entity|关系 relation|观察 observation|节点 node|消息 message|信息 info|详情 detail|元数据 metadata|邮件 email|邮箱 email|电子邮件 email|名字 name|姓名 name|名称 name|标题 title|类型 type|内容 content|路径 path|大小 size|环境 environment|变量 variable|资源 resource|链接 link|数字 number|时间 time|日期 date|城市 city|地点 location|位置 location|房间 room|客厅 living room|卧室 bedroom|厨房 kitchen|设备 device|标签 tag|问题 issue|任务 task|待办 todo|订单 order|产品 product|商品 product|价格 price|日志 log|历史 history|记录 record|结果 result|根目录 root|允许 allowed|可访问 allowed|树 tree|门 door|窗帘 blind|音量 volume|音乐 music|歌曲 song|错误 error|成功 success|调试 debug|版本 version|研究 research|主题 topic|长时间 long|操作 operation|日志记录 logging|订阅 subscriber|模式 pattern|关键字 keyword|多个 multiple|小图 tiny image|结构化 structured|登记 register|会员 member|参数 argument|天数 day|城市 city|预算 budget|发票 invoice|书 book|图书 book|借 borrow|还 return|播 play|打印 print|登录 login|退出 logout|开 on|关 off|存在 exist|不存在 exist|一下|一次|一遍|再次|首先|然后|是否|如果|有没有|里面|其中|未来 future|今天 today|明天 tomorrow|昨天 yesterday|怎么样 how|怎样 how|如何 how|多少 how|什么 what|哪些 what|现在 now|当前 current|最近 recent|所有 all|全部 all|整个 all|结构 schema structure|情况 status|改动 change|变更 change|变化 change|天 day|小时 hour|分钟 minute|秒 second|步 step|行 line|标记 mark|完成 complete done|播放 play|翻译 translate|抓取 fetch|下载 download|上传 upload|网页 page|网址 url|地址 address|电话 phone|手机 phone|备注 note|笔记 note|项目 project|代码 code|频道 channel|群组 group|评论 comment|购买 buy|下单 order|库存 stock|数量 quantity|单位 unit|语言 language|时区 timezone|亮度 brightness|摄氏 celsius';

/** Chinese word → English words. */
export const chinese: ReadonlyMap<string, readonly string[]> = new Map(
  lexicon.split('|').map((entry): [string, string[]] => {
    const [word = '', ...english] = entry.split(' ');
    return [word, english];
  }),
);

/** The longest Chinese word of the table, in characters. */
export const longestChinese = 4;

/** Chinese characters that are never the beginning or end of a value by themselves. */
export const chineseEdges = /^[的了是在把将给向跟和与请我你他她它个一名叫为到从对吗呢吧里就则并用去来要有这那，,。]$/;

/** Chinese words without a subject of their own; they end a run of unknown characters. */
export const chineseStops =
  /的|了|是|在|里|中|把|将|给|向|跟|和|与|并|就|则|请|帮|我|你|他|她|它|个|一|名|叫|为|有|没|这|那|到|从|对|所|以|吗|呢|吧|啊|新|些|下|上|再|先|次|遍|用|被|做/;
