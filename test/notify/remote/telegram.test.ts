import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formQuestionSchema } from '../../../src/events/form/form.ts';
import { lastPresence, Presence } from '../../../src/workflow/project/presence.ts';
import { approval } from '../../helpers/approval.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { eventsOf } from '../../mcp/support/project-log.ts';
import { answersInShell, calledProject, logged } from './support/called-project.ts';
import { telegramServer } from './support/telegram-server.ts';
import { webServer } from './support/web-server.ts';

const token = '123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
const ada = 4711;
const stranger = 666;

type With = {
  readonly server?: Awaited<ReturnType<typeof telegramServer>>;
  readonly env?: Record<string, string>;
};

async function adasPhone(
  channel: object = {},
  { server: shared, env = {}, others = {} }: With & { readonly others?: object } = {},
) {
  const server = shared ?? (await telegramServer(token));
  const phone = {
    via: 'telegram',
    url: server.url,
    token: '${BOT_TOKEN}',
    chat: String(ada),
    after: 0,
    answers: { ada: String(ada) },
    ...channel,
  };
  const called = await calledProject({
    notify: { channels: { phone, ...others } },
    env: { BOT_TOKEN: token, ...env },
  });
  const begun = await called.begin();
  const request = async (id: string) =>
    (await called.project.refresh()).streams.get('demo')?.requests.get(id);
  return { server, ...called, ...begun, request };
}

const call = { kind: 'approval', question: 'Allow fs.write_file?', approval } as const;

type Phone = Awaited<ReturnType<typeof adasPhone>>;
const edits = ({ server }: Pick<Phone, 'server'>) =>
  server.calls.filter(({ method }) => method.startsWith('editMessage'));

describe('a question in Telegram', () => {
  it('is answered by a button, once, and the log says by whom and through what', async () => {
    const { server, project, asks, request } = await adasPhone();
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => server.buttons().map(({ text }) => text)).toEqual(['Postgres', 'SQLite']);
    expect(server.sent()[0]).toMatchObject({
      chat_id: String(ada),
      text: expect.stringContaining('Which database?\n\n1. Postgres\n2. SQLite'),
    });
    server.press(server.buttons()[1]?.callback_data ?? '', { from: ada, on: 1 });
    await expect
      .poll(async () => (await request('q-1'))?.answer)
      .toMatchObject({ response: 'SQLite', option: 1 });
    expect(await logged(project, 'help.answered')).toEqual([
      {
        source: '/clifford/notify',
        requestId: 'q-1',
        response: 'SQLite',
        option: 1,
        by: 'ada',
        via: 'telegram',
      },
    ]);
    await expect
      .poll(() => server.calls.find(({ method }) => method === 'answerCallbackQuery'))
      .toMatchObject({ text: 'Recorded: SQLite' });
    await expect
      .poll(() => server.calls.find(({ method }) => method === 'editMessageText'))
      .toMatchObject({
        message_id: 1,
        text: expect.stringContaining('✔ ada answered it in Telegram: SQLite'),
      });
  });

  it('is answered by a reply, in words or by the number of an option', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => server.sent().length).toBe(1);
    server.write('2', { from: ada, to: 1 });
    await expect
      .poll(async () => (await request('q-1'))?.answer)
      .toMatchObject({ response: 'SQLite', option: 1 });
    // The second message: the next one is the third.
    await expect.poll(() => server.sent()[1]?.text).toBe('Recorded: SQLite');
    await asks('q-2', { question: 'Why?' });
    await expect.poll(() => server.sent().filter(({ text }) => text?.includes('Why?')).length).toBe(1);
    server.write('Since it is small', { from: ada, to: 3 });
    await expect.poll(async () => (await request('q-2'))?.answer?.response).toBe('Since it is small');
  });

  it('takes the numbers of several options where several may be chosen', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1', { options: ['x', 'y', 'z'], multiple: true });
    await expect.poll(() => server.sent().length).toBe(1);
    expect(server.buttons()).toEqual([]);
    expect(server.sent()[0]?.text).toContain(
      'Reply to this message, with the numbers of all that are meant, or: ',
    );
    server.write('1, 3', { from: ada, to: 1 });
    await expect.poll(async () => (await request('q-1'))?.answer?.response).toBe('x\nz');
  });

  it('has nothing fetched that an agent has linked, when it is asked and when it is over', async () => {
    const { server, project, asks } = await adasPhone();
    await asks('q-1', { question: 'Like https://evil.example/?' });
    await expect.poll(() => server.sent().length).toBe(1);
    await answersInShell(project, 'q-1', 'no');
    const linking = () => server.calls.filter(({ text }) => text?.includes('https://evil.example/'));
    await expect
      .poll(() => linking().map(({ method }) => method))
      .toEqual(['sendMessage', 'editMessageText']);
    for (const call of linking()) expect(call['link_preview_options']).toEqual({ is_disabled: true });
  });

  it('that was answered elsewhere tells who was first, and takes nothing more', async () => {
    const { server, project, asks, request } = await adasPhone();
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => server.buttons()).toHaveLength(2);
    await answersInShell(project, 'q-1', 'Postgres');
    server.press(server.buttons()[1]?.callback_data ?? '', { from: ada, on: 1 });
    await expect
      .poll(() => server.calls.find(({ method }) => method === 'answerCallbackQuery')?.text)
      .toMatch(
        /^Nothing was recorded: it was over already\. bob answered it in the shell at (?:[\d-]{10} )?\d\d:\d\d: Postgres$/,
      );
    server.write('MySQL', { from: ada, to: 1 });
    await expect.poll(() => server.sent().at(-1)?.text).toContain('bob answered it in the shell');
    expect((await request('q-1'))?.answer).toMatchObject({ by: 'bob', response: 'Postgres' });
    expect(await logged(project, 'help.answered')).toHaveLength(1);
  });

  it('is answered by the words of a picture; of one without words it is said that it is no answer', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1');
    await expect.poll(() => server.sent()).toHaveLength(1);
    server.write('', { from: ada, to: 1, as: 'caption' });
    const stays = 'The file stays here: the agent does not see it.';
    await expect.poll(() => server.sent().at(-1)?.text).toContain(stays);
    expect((await request('q-1'))?.phase).toBe('open');
    server.write('As drawn', { from: ada, to: 1, as: 'caption' });
    await expect.poll(() => server.sent().at(-1)?.text).toBe(`Recorded: As drawn\n${stays}`);
    expect((await request('q-1'))?.answer).toMatchObject({ response: 'As drawn' });
    // What has no words and answers nothing is nobody's business.
    server.write('', { from: ada, as: 'caption' });
    server.write('hello', { from: ada });
    await expect.poll(() => server.sent()).toHaveLength(4);
  });

  it('is answered by the words of an album, whichever picture has them; of one without words that is said once', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1');
    await expect.poll(() => server.sent()).toHaveLength(1);
    const picture = (album: string, words = '') =>
      server.write(words, { from: ada, to: 1, as: 'caption', album });
    for (const _ of [1, 2, 3]) picture('drawn');
    // What comes behind them is taken behind them.
    server.write('', { from: ada, to: 1, as: 'caption' });
    const nothing = expect.stringContaining('There is nothing in it');
    await expect.poll(() => server.sent().slice(1)).toMatchObject([{ text: nothing }, { text: nothing }]);
    for (const words of ['', 'As drawn', '']) picture('other', words);
    await expect.poll(() => server.sent().at(-1)?.text).toContain('Recorded: As drawn');
    server.write('hello', { from: ada });
    await expect.poll(() => server.sent().at(-1)?.text).toContain('Reply to the message');
    expect(server.sent()).toHaveLength(5);
    expect((await request('q-1'))?.answer).toMatchObject({ response: 'As drawn' });
  });

  it('is not answered by a button that it does not have, nor by a reply to a message of something else', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => server.buttons()).toHaveLength(2);
    const data = server.buttons()[1]?.callback_data ?? '';
    server.press(data.replace('option-1', 'option-2'), { from: ada, on: 1 });
    await expect
      .poll(() => server.calls.find(({ method }) => method === 'answerCallbackQuery')?.text)
      .toBe('That is none of its options: nothing was recorded.');
    server.write('SQLite', { from: ada, to: 99 });
    await expect
      .poll(() => server.sent().at(-1)?.text)
      .toBe('That message tells of no question of this project that is known here: nothing was recorded.');
    expect((await request('q-1'))?.phase).toBe('open');
  });

  it('takes what cannot be seen for no answer', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1', { question: 'Why?' });
    await expect.poll(() => server.sent().length).toBe(1);
    server.write(' \u0001', { from: ada, to: 1 });
    await expect.poll(() => server.sent()[1]?.text).toBe('There is nothing in it: nothing was recorded.');
    expect((await request('q-1'))?.phase).toBe('open');
  });

  it('says nowhere what a program has asked for as a secret', async () => {
    const { server, project, asks } = await adasPhone();
    await asks('q-1', { kind: 'prompt', question: 'Password:' });
    await expect.poll(() => server.sent().length).toBe(1);
    await answersInShell(project, 'q-1', 'swordfish');
    await expect.poll(() => logged(project, 'notify.settled')).toHaveLength(1);
    server.write('other', { from: ada, to: 1 });
    await expect.poll(() => server.sent().at(-1)?.text).toContain('it was over already');
    await asks('q-2', { kind: 'prompt', question: 'Word of the day:' });
    await expect.poll(() => server.sent().filter(({ text }) => text?.includes('Word of')).length).toBe(1);
    server.write('swordfish', { from: ada, to: 3 });
    await expect.poll(() => server.sent().at(-1)?.text).toMatch(/^Recorded/);
    expect(JSON.stringify(server.calls)).not.toContain('swordfish');
  });

  it('that asks for a secret invites nobody to write it there, and takes only that it is rejected', async () => {
    const { server, project, asks, request } = await adasPhone();
    await asks('q-1', { kind: 'prompt', question: 'Password for ada:' });
    await expect.poll(() => server.sent().length).toBe(1);
    const [{ text = '' } = {}] = server.sent();
    expect(text).toContain(
      'It asks for a secret, which belongs in no chat. Answer with: clifford answer q-1 "…"',
    );
    expect(text).not.toMatch(/reply/i);
    server.write('swordfish', { from: ada, to: 1 });
    await expect
      .poll(() => server.sent().at(-1)?.text)
      .toBe(
        'It asks for a secret, which belongs in no chat: nothing was recorded, and what you wrote still stands here. ' +
          'In a shell: clifford answer q-1 "…"',
      );
    expect((await request('q-1'))?.phase).toBe('open');
    expect(await logged(project, 'help.answered')).toEqual([]);
    server.write('/reject it is not needed', { from: ada, to: 1 });
    await expect.poll(async () => (await request('q-1'))?.answer).toMatchObject({ rejected: true });
  });

  it('is bound to its message: what replies to none answers nothing, nor does a button of another one', async () => {
    const { server, project, asks, request } = await adasPhone();
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => server.buttons()).toHaveLength(2);
    server.write('SQLite', { from: ada });
    await expect.poll(() => server.sent().at(-1)?.text).toMatch(/^Reply to the message of the question/);
    await asks('q-2', { question: 'Which cache?', options: ['Redis', 'none'] });
    await expect.poll(() => server.sent().filter(({ text }) => text?.includes('cache')).length).toBe(1);
    const [first] = server.buttons();
    server.press('option-0 AAAAAAAAAAAAAAAA', { from: ada, on: 1 });
    await expect
      .poll(() => server.calls.filter(({ method }) => method === 'answerCallbackQuery').at(-1)?.text)
      .toBe('That button is of another question: nothing was recorded.');
    server.press(first?.callback_data ?? '', { from: ada, on: 1 });
    await expect
      .poll(() => server.calls.filter(({ method }) => method === 'answerCallbackQuery'))
      .toHaveLength(2);
    expect((await request('q-1'))?.phase).toBe('open');
    expect(await logged(project, 'help.answered')).toEqual([]);
  });
});

it('a question is told when nobody has looked at the project for ten seconds', async () => {
  const { project, asks } = await adasPhone();
  const looked = join(project.dir, 'cache/looked');
  new Presence(project.dir).mark();
  await expect.poll(() => lastPresence(project.dir)).toBeDefined();
  const [now] = [Date.now()];
  await utimes(looked, new Date(now), new Date(now - 9_000));
  await asks('q-1');
  await expect.poll(() => eventsOf(project, 'notify.sent')).toHaveLength(1);
  const [sent] = await eventsOf(project, 'notify.sent');
  expect(Date.parse(sent?.time ?? '')).toBeGreaterThanOrEqual(now + 1_000);
});

describe('a channel that was given another bot', () => {
  it('tells anew what still waits, and what was told by the one before is answered by no message of the new one', async () => {
    const otherToken = '999:BBHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
    const other = await telegramServer(otherToken);
    const { server, end, begin, asks, request, project } = await adasPhone(
      { approvals: true },
      { env: { OTHER_TOKEN: otherToken } },
    );
    await asks('q-1', call);
    await expect.poll(() => server.buttons()).toHaveLength(2);
    await end();
    // Its first message is about something else.
    const test = { chat_id: String(ada), text: 'Nothing waits for you' };
    await fetch(`${other.url}/bot${otherToken}/sendMessage`, { method: 'POST', body: JSON.stringify(test) });
    const phone = {
      via: 'telegram',
      url: other.url,
      token: '${OTHER_TOKEN}',
      chat: String(ada),
      after: 0,
      answers: { ada: String(ada) },
      approvals: true,
    };
    await begin({ notify: { channels: { phone } } });
    await expect.poll(() => other.buttons()).toHaveLength(2);
    other.write('yes', { from: ada, to: 1 });
    await expect.poll(() => other.sent().at(-1)?.text).toMatch(/^That message tells of no question/);
    expect((await request('q-1'))?.phase).toBe('open');
    other.write('yes', { from: ada, to: 2 });
    await expect.poll(async () => (await request('q-1'))?.answer).toMatchObject({ verdict: 'approved' });
    await expect.poll(() => edits({ server: other }).map(({ message_id }) => message_id)).toEqual([2]);
    expect(edits({ server })).toEqual([]);
    await expect.poll(() => logged(project, 'notify.settled')).toHaveLength(1);
  });
});

describe('a stranger in Telegram', () => {
  it('answers nothing, is told nothing, and a flood of them is a line in the log', async () => {
    const { server, project, asks, request } = await adasPhone();
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => server.buttons()).toHaveLength(2);
    const data = server.buttons()[0]?.callback_data ?? '';
    for (let at = 0; at < 30; at += 1) {
      server.write('Postgres', { from: stranger, chat: ada, to: 1 });
      server.press(data, { from: stranger, chat: ada, on: 1 });
      server.write('hello', { from: stranger });
    }
    // From another chat, also of somebody who may answer.
    server.press(data, { from: ada, chat: -5, on: 1 });
    await expect
      .poll(() => server.calls.filter(({ method }) => method === 'answerCallbackQuery'))
      .toHaveLength(31);
    expect((await request('q-1'))?.phase).toBe('open');
    expect(server.sent()).toHaveLength(1);
    expect(server.calls.filter(({ method, text }) => method === 'answerCallbackQuery' && text)).toEqual([]);
    expect(await logged(project, 'notify.refused')).toEqual([
      expect.objectContaining({ sender: '666', why: 'is not among those who may answer', times: 1 }),
      expect.objectContaining({ sender: '4711', why: 'wrote in another chat', times: 1 }),
    ]);
  });
});

describe('a tool call in Telegram', () => {
  it('is told by the name of its tool alone, and can be denied, where nothing else is configured', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1', call);
    await expect.poll(() => server.buttons().map(({ text }) => text)).toEqual(['Deny']);
    expect(JSON.stringify(server.sent())).not.toContain('notes.txt');
    server.write('yes', { from: ada, to: 1 });
    await expect.poll(() => server.sent().at(-1)?.text).toMatch(/^Tool calls are not allowed by chat here/);
    server.press(server.buttons()[0]?.callback_data.replace('deny', 'approve') ?? '', { from: ada, on: 1 });
    await expect
      .poll(() => server.calls.filter(({ method }) => method === 'answerCallbackQuery').at(-1)?.text)
      .toMatch(/^Tool calls are not allowed by chat here/);
    expect((await request('q-1'))?.phase).toBe('open');
    server.write('no, not that file', { from: ada, to: 1 });
    await expect
      .poll(async () => (await request('q-1'))?.answer)
      .toMatchObject({ verdict: 'denied', response: 'no, not that file', by: 'ada' });
  });

  it('is shown whole and allowed for once, never for longer, where that is configured', async () => {
    const { server, asks, request } = await adasPhone({ approvals: true });
    await asks('q-1', call);
    await expect.poll(() => server.buttons().map(({ text }) => text)).toEqual(['Allow once', 'Deny']);
    expect(server.sent()[0]?.text).toContain('"path": "notes.txt"');
    server.write('always', { from: ada, to: 1 });
    await expect.poll(() => server.sent().at(-1)?.text).toMatch(/^Say yes or no/);
    server.press(server.buttons()[0]?.callback_data ?? '', { from: ada, on: 1 });
    await expect
      .poll(async () => (await request('q-1'))?.answer)
      .toMatchObject({ verdict: 'approved', scope: 'once', by: 'ada', via: 'telegram' });
  });

  it.each([
    ['a secret is hidden', { hidden: { values: 1, characters: 20, lines: 1 } }],
    ['it is cut', { args: { cut: '{"a', length: 70_000 } }],
    ['it is long', { args: { content: 'x'.repeat(3_000) } }],
    ['its tool has changed', { change: '-a\n+b' }],
  ])('cannot be allowed where %s: not all of it was seen', async (_what, more) => {
    const { server, asks, request } = await adasPhone({ approvals: true });
    await asks('q-1', { ...call, approval: { ...approval, ...more } });
    await expect.poll(() => server.buttons().map(({ text }) => text)).toEqual(['Deny']);
    server.write('yes', { from: ada, to: 1 });
    await expect
      .poll(() => server.sent().at(-1)?.text)
      .toMatch(/^That message does not show all of the call/);
    expect((await request('q-1'))?.phase).toBe('open');
  });

  it('is allowed by nobody where an agent has started what takes the answers', async () => {
    const { server, asks, request } = await adasPhone(
      { approvals: true },
      { env: { CLIFFORD_RUN_ID: 'run-9' } },
    );
    await asks('q-1', { kind: 'approval', question: 'Allow?', approval });
    await expect.poll(() => server.buttons()).not.toEqual([]);
    const yes = server.buttons().find(({ callback_data }) => callback_data.startsWith('approve'));
    server.press(yes?.callback_data ?? '', { from: ada, on: 1 });
    await expect
      .poll(() => server.calls.find(({ method }) => method === 'answerCallbackQuery')?.text)
      .toMatch(/^Nothing was recorded: Cannot approve q-1: this is the shell of an agent/);
    expect((await request('q-1'))?.phase).toBe('open');
  });

  it('is allowed by no reply to a message that did not show it, whoever reads the answers later', async () => {
    const server = await telegramServer(token);
    const home = await tempRoot();
    const shared = { server, env: { XDG_STATE_HOME: home } };
    const first = await adasPhone({ approvals: true }, shared);
    await expect.poll(() => server.calls.some(({ method }) => method === 'getUpdates')).toBe(true);
    // Another project only calls meanwhile.
    const { problems, asks, request } = await adasPhone({ approvals: true }, shared);
    await expect.poll(() => problems.join()).toContain('here it only calls');
    await asks('q-1', call);
    await expect.poll(() => server.sent().length).toBe(1);
    expect(server.sent()[0]?.text).not.toContain('notes.txt');
    await first.end();
    server.write('yes', { from: ada, to: 1 });
    await expect
      .poll(() => server.sent().at(-1)?.text)
      .toMatch(/^That message does not show all of the call/);
    expect((await request('q-1'))?.phase).toBe('open');
  });

  it('has no yes where a secret in it was hidden from the message, nor is one asked for', async () => {
    const secret = 'hunter2-verysecret-value-99';
    const { server, project, asks, request } = await adasPhone(
      { approvals: true },
      { env: { DEPLOY_TOKEN: secret } },
    );
    await asks('q-1', { ...call, approval: { ...approval, args: { content: `use ${secret} now` } } });
    await expect.poll(() => server.buttons().map(({ text }) => text)).toEqual(['Deny']);
    expect(server.sent()[0]?.text).toMatch(/To see all of it, and allow it: clifford questions$/);
    expect(server.sent()[0]?.text).not.toContain('with yes');
    expect(await logged(project, 'notify.sent')).not.toContainEqual(
      expect.objectContaining({ showsCall: true }),
    );
    server.write('yes', { from: ada, to: 1 });
    await expect
      .poll(() => server.sent().at(-1)?.text)
      .toMatch(/^That message does not show all of the call/);
    expect((await request('q-1'))?.phase).toBe('open');
  });
});

it.each([
  ['a value is hidden', { hidden: { values: 1, characters: 20, lines: 1 } }],
  ['it is long', { args: { cut: '{"content":"aaa', length: 40_000 } }],
])('says what shows all of a call of which %s', async (_what, part) => {
  const { server, asks } = await adasPhone({ approvals: true });
  await asks('q-1', { ...call, approval: { ...approval, ...part } });
  await expect
    .poll(() => server.sent()[0]?.text)
    .toMatch(/To see all of it, and allow it: clifford questions --reveal$/);
  server.write('yes', { from: ada, to: 1 });
  await expect.poll(() => server.sent().at(-1)?.text).toMatch(/In a shell: clifford questions --reveal$/);
});

describe('a channel that shows names alone', () => {
  it('says of an answer that there is one, and by whom, and never what it is', async () => {
    const phone = await adasPhone({ shows: 'names', approvals: true });
    const { server, project, asks } = phone;
    await asks('q-1', { question: 'Which of alpha and beta?', options: ['alpha', 'beta'] });
    await expect.poll(() => server.sent().length).toBe(1);
    server.write('2', { from: ada, to: 1 });
    await expect.poll(() => server.sent().at(-1)?.text).toBe('Recorded');
    await expect.poll(() => edits(phone).length).toBe(1);
    expect(edits(phone)[0]?.text).toMatch(/✔ ada answered it in Telegram$/);
    await asks('q-2', { question: 'And gamma?' });
    await expect.poll(() => server.sent().length).toBe(3);
    await answersInShell(project, 'q-2', 'delta');
    await expect.poll(() => edits(phone).length).toBe(2);
    server.write('epsilon', { from: ada, to: 3 });
    await expect
      .poll(() => server.sent().at(-1)?.text)
      .toBe('Nothing was recorded: it was over already. ✔ bob answered it in the shell');
    await asks('q-3', call);
    await expect.poll(() => server.buttons().map(({ text }) => text)).toEqual(['Deny']);
    expect(JSON.stringify(server.calls)).not.toMatch(/alpha|beta|gamma|delta|notes\.txt/);
  });
});

describe('a message of a question that is over', () => {
  it('loses its buttons also where it was answered while Telegram took it', async () => {
    const server = await telegramServer(token);
    const phone = await adasPhone({}, { server });
    const taking = server.hold();
    await phone.asks('q-1', { options: ['Postgres', 'SQLite'] });
    await taking.isThere;
    await answersInShell(phone.project, 'q-1', 'Postgres');
    taking.goOn();
    await expect
      .poll(() => edits(phone).at(-1))
      .toMatchObject({
        message_id: 1,
        text: expect.stringContaining('✔ bob answered it in the shell: Postgres'),
      });
    expect(server.sent()[0]?.text).toContain('Reply to this message');
    expect(edits(phone).at(-1)?.text).toContain('Which database?');
    expect(edits(phone).at(-1)?.text).not.toMatch(/Reply|clifford answer/);
  });

  it('loses its buttons also where nobody called meanwhile, and once', async () => {
    const phone = await adasPhone();
    const { server, project, asks, begin, end } = phone;
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    await end();
    await answersInShell(project, 'q-1', 'Postgres');
    const other = await begin();
    await expect.poll(() => edits(phone).length).toBe(1);
    await expect.poll(() => logged(project, 'notify.settled')).toHaveLength(1);
    await other.end();
    await begin();
    await asks('q-2', { question: 'Which cache?' });
    await expect.poll(() => server.sent().at(-1)?.text).toContain('Which cache?');
    expect(edits(phone)).toHaveLength(1);
  });
});

describe('a message that another process has sent', () => {
  it('says how its question ended, and not any more how it is answered', async () => {
    const phone = await adasPhone();
    const { project, asks, begin, end } = phone;
    await asks('q-1', { options: ['Postgres', 'SQLite'] });
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    await end();
    await answersInShell(project, 'q-1', 'Postgres');
    // It remembers nothing of what was sent.
    await begin({ without: ['NOTHING'] });
    await expect
      .poll(() => edits(phone))
      .toMatchObject([
        {
          method: 'editMessageText',
          message_id: 1,
          text: expect.stringMatching(
            /^Clifford · [^]*Which database\?\n\n1\. Postgres\n2\. SQLite\n\n✔ bob answered it in the shell: Postgres$/,
          ),
        },
      ]);
  });
});

describe('a message about several questions', () => {
  it('is edited when all of them are over, and says how each ended', async () => {
    // Where nobody can answer, what waits is one message.
    const phone = await adasPhone({ answers: undefined });
    const { server, project, asks, begin, end } = phone;
    await end();
    await asks('q-one', { question: 'Which one?' });
    await asks('q-two', { question: 'Which two?' });
    await begin();
    await expect
      .poll(() => server.sent()[0]?.text)
      .toMatch(
        /: 2 wait for you\n\na: Which one\?\na: Which two\?\n\nSee and answer them with: clifford questions$/,
      );
    await answersInShell(project, 'q-one', 'the first');
    // Messages are looked at before another one is sent.
    await asks('q-three', { question: 'Which three?' });
    await expect.poll(() => server.sent()[1]?.text).toContain('Which three?');
    expect(edits(phone)).toEqual([]);
    await answersInShell(project, 'q-two', 'the second');
    await expect.poll(() => edits(phone).length).toBe(1);
    expect(edits(phone)[0]?.text).toMatch(
      /\n\n✔ bob answered “Which one\?” in the shell: the first\n✔ bob answered “Which two\?” in the shell: the second$/,
    );
    await expect.poll(async () => (await logged(project, 'notify.settled')).length).toBe(2);
  });
});

describe('a form in Telegram', () => {
  const questions = formQuestionSchema.array().parse([
    {
      title: 'Database',
      question: 'Where is it kept?',
      options: [{ label: 'Postgres' }, { label: 'SQLite' }],
    },
    { title: 'Name' },
  ]);

  it('has the options of each of its questions, and is answered by their numbers', async () => {
    const { server, asks, request } = await adasPhone();
    await asks('q-1', { question: 'The store', questions });
    await expect
      .poll(() => server.sent()[0]?.text)
      .toContain('1. Database: Where is it kept?\n   1. Postgres\n   2. SQLite\n2. Name');
    expect(server.sent()[0]?.text).toContain(
      'with a line for each question: its number, a colon and the answer, such as "1: 2"',
    );
    // Words alone answer no form: this asks for each of them.
    expect(server.sent()[0]?.text).toMatch(/, or: clifford answer q-1$/);
    server.write('1: 9\n2: zed', { from: ada, to: 1 });
    await expect
      .poll(() => server.sent().at(-1)?.text)
      .toMatch(/^Nothing was recorded: Cannot answer q-1: Database has no option 9, only 2\. In a shell: /);
    server.write('1: 2\n2: zed', { from: ada, to: 1 });
    await expect
      .poll(async () => (await request('q-1'))?.answer?.response)
      .toBe('Database: SQLite\nName: zed');
  });

  it('that does not fit into a message says where it is answered', async () => {
    const { server, asks } = await adasPhone();
    const many = questions.map((each) => ({
      ...each,
      options: Array.from({ length: 40 }, (_, at) => ({ label: `${'x'.repeat(60)}${at}` })),
    }));
    await asks('q-1', { question: 'The store', questions: many });
    await expect.poll(() => server.sent()[0]?.text).toContain('- Database\n- Name');
    expect(server.sent()[0]?.text).toMatch(
      /Not all of it is in this message\. Answer with: clifford answer q-1$/,
    );
  });
});

it('says how a question is answered however many options it has', async () => {
  const { server, asks, request } = await adasPhone();
  await asks('q-1', { options: Array.from({ length: 10_000 }, (_, at) => `option ${at + 1}`) });
  await expect
    .poll(() => server.sent()[0]?.text)
    .toMatch(
      /\n\(and 9\d{3} more\)\n\nNot all of it is in this message\. Reply to this message, or: clifford answer q-1 "…"$/,
    );
  server.write('9999', { from: ada, to: 1 });
  await expect.poll(async () => (await request('q-1'))?.answer?.response).toBe('option 9999');
});

it('takes a command as the menu of a group names it, with the name of its bot', async () => {
  const { server, asks, request } = await adasPhone();
  await asks('q-1');
  await expect.poll(() => server.sent().length).toBe(1);
  server.write('/reject@CliffordBot too risky', { from: ada, to: 1 });
  await expect
    .poll(async () => (await request('q-1'))?.answer)
    .toMatchObject({ rejected: true, response: 'too risky' });
});

it('turns no question down without a reason, as no face does', async () => {
  const { server, asks, request } = await adasPhone();
  await asks('q-1');
  await expect.poll(() => server.sent().length).toBe(1);
  server.write('/reject', { from: ada, to: 1 });
  await expect.poll(() => server.sent().at(-1)?.text).toMatch(/^Say why, for its agent: /);
  expect((await request('q-1'))?.phase).toBe('open');
});

describe('Telegram that answers what nobody understands', () => {
  it.each([
    ['to a message', { sendMessage: { ok: true, result: {} } }],
    ['to a message, in no JSON', { sendMessage: 'captive portal' }],
    ['when it is asked for news', { getUpdates: { ok: true, result: { not: 'a list' } } }],
  ])('%s costs no other channel anything, and is told once', async (_what, odd) => {
    const told: string[] = [];
    const { url } = await webServer(({ body }) => {
      told.push(body);
      return {};
    });
    const server = await telegramServer(token);
    server.odd(odd);
    const others = { board: { via: 'webhook', url, after: 0 } };
    const { project, asks, problems } = await adasPhone({}, { server, others });
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.failed')).toMatchObject([{ channel: 'phone' }]);
    await expect.poll(() => told.length).toBe(1);
    await asks('q-2');
    await expect.poll(() => told.length).toBe(2);
    expect(problems.join('\n')).not.toContain('Nobody is called');
    expect(problems).toHaveLength(1);
  });
});

describe('Telegram that does not work', () => {
  it('is left alone as long as it says, is told of once, and gets what still waits', async () => {
    const { server, project, problems, asks } = await adasPhone();
    const busy = {
      status: 429,
      json: {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry after 1',
        parameters: { retry_after: 1 },
      },
    };
    server.troubles.push(busy, busy);
    const since = Date.now();
    await asks('q-1');
    await expect.poll(() => server.sent().length, { timeout: 8_000 }).toBe(3);
    expect(Date.now() - since).toBeGreaterThan(1_900);
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    const failed = await logged(project, 'notify.failed');
    expect(failed).toEqual([
      expect.objectContaining({ channel: 'phone', service: 'telegram', retryMs: 1_000 }),
    ]);
    expect(problems).toHaveLength(1);
  });

  it('is not told what was answered while it was away', async () => {
    const { server, project, asks } = await adasPhone();
    server.troubles.push({ status: 503, text: 'Bad Gateway' }, undefined);
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.failed')).not.toEqual([]);
    await answersInShell(project, 'q-1', 'Postgres');
    await asks('q-2', { question: 'Which cache?' });
    await expect.poll(() => logged(project, 'notify.sent')).toMatchObject([{ requests: ['q-2'] }]);
    expect(server.sent().at(-1)?.text).toContain('Which cache?');
  });

  it('that sends an update again is taken at its word once', async () => {
    const { server, project, asks } = await adasPhone();
    await asks('q-1');
    await expect.poll(() => server.sent().length).toBe(1);
    server.replay();
    server.write('Postgres', { from: ada, to: 1 });
    await expect.poll(() => logged(project, 'help.answered')).toHaveLength(1);
    const polls = server.calls.filter(({ method }) => method === 'getUpdates').length;
    await expect
      .poll(() => server.calls.filter(({ method }) => method === 'getUpdates').length)
      .toBeGreaterThan(polls + 3);
    // The question, and that its answer was recorded.
    expect(server.sent()).toHaveLength(2);
  });

  it.each([
    ['all of it', token],
    ['the half that is secret', token.split(':')[1]],
  ])('says nowhere what its token is, where it is told %s', async (_what, repeated) => {
    const { server, root, project, problems, asks } = await adasPhone();
    server.troubles.push({
      status: 403,
      json: { ok: false, error_code: 403, description: `no such bot${repeated}` },
    });
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.failed')).toHaveLength(1);
    const { readFile } = await import('node:fs/promises');
    const log = await readFile(`${root}/.clifford/events.jsonl`, 'utf8');
    expect(log + problems.join()).not.toContain('AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw');
    expect(problems[0]).toContain('no such bot…');
  });
});
