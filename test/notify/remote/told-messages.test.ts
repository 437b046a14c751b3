import { describe, expect, it } from 'vitest';
import { logBusy } from '../../../src/events/jsonl/log-errors.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { approval } from '../../helpers/approval.ts';
import { forgeSnapshot } from '../../helpers/forge-snapshot.ts';
import { silentAbout } from '../../helpers/silent-log.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { answersInShell, calledProject, logged } from './support/called-project.ts';
import { telegramServer } from './support/telegram-server.ts';
import { webServer } from './support/web-server.ts';

const token = '123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
const ada = 4711;
const call = { kind: 'approval', question: 'Allow fs.write_file?', approval } as const;
const notAllOfIt = /^That message does not show all of the call/;

/** A channel where ada answers. */
function phoneAt(url: string) {
  return {
    via: 'telegram',
    url,
    token: '${BOT_TOKEN}',
    chat: String(ada),
    after: 0,
    answers: { ada: String(ada) },
    approvals: true,
  };
}

/** A project that calls through a bot of Telegram. Nobody is called yet. */
async function withPhone(channel: object = {}, home?: string) {
  const server = await telegramServer(token);
  const phone = { ...phoneAt(server.url), ...channel };
  const called = await calledProject({
    notify: { channels: { phone } },
    env: { BOT_TOKEN: token, ...(home === undefined ? {} : { XDG_STATE_HOME: home }) },
  });
  const request = async (id: string) =>
    (await called.project.refresh()).streams.get('demo')?.requests.get(id);
  const edits = () => server.calls.filter(({ method }) => method.startsWith('editMessage'));
  return { server, ...called, request, edits };
}

/** Changes what a snapshot says of a request. */
function forgeRequest(root: string, id: string, change: (request: RequestState) => Partial<RequestState>) {
  return forgeSnapshot(root, ({ state }) => {
    const request = state.streams.get('demo')?.requests.get(id);
    if (request) Object.assign(request, change(request));
  });
}

describe('a yes to a tool call', () => {
  it('counts by what the log says of its message, whatever a snapshot does', async () => {
    const { server, root, begin, asks, request } = await withPhone({ shows: 'names' });
    const { end } = await begin();
    await asks('q-1', call);
    await expect.poll(() => server.sent().length).toBe(1);
    await expect.poll(async () => (await request('q-1'))?.told).toHaveLength(1);
    await end();
    await forgeRequest(root, 'q-1', ({ told = [] }) => ({
      told: told.map((each) => ({ ...each, showsCall: true })),
    }));
    await begin();
    server.write('yes', { from: ada, to: 1 });
    await expect.poll(() => server.sent()[1]?.text).toMatch(notAllOfIt);
    expect((await request('q-1'))?.phase).toBe('open');
  });

  it('does not count where two messages have its name, and one of them did not show the call', async () => {
    const home = await tempRoot();
    const other = await withPhone({}, home);
    const reading = await other.begin();
    await expect.poll(() => other.server.calls.some(({ method }) => method === 'getUpdates')).toBe(true);
    const { server, problems, begin, asks, request, project } = await withPhone({ remind: 1 }, home);
    server.odd({ sendMessage: { ok: true, result: { message_id: 1 } } });
    await begin();
    // Where another project reads the answers, a message shows no call: nobody could allow it there.
    await expect.poll(() => problems.join()).toContain('here it only calls');
    await asks('q-1', call);
    await expect.poll(() => server.sent().length).toBe(1);
    await reading.end();
    await expect
      .poll(() => logged(project, 'notify.sent'), { timeout: 10_000 })
      .toMatchObject([{ ref: '1' }, { ref: '1', showsCall: true }]);
    server.write('yes', { from: ada, to: 1 });
    await expect.poll(() => server.sent().at(-1)?.text, { timeout: 5_000 }).toMatch(notAllOfIt);
    expect((await request('q-1'))?.phase).toBe('open');
  });
});

/** One message has told of two questions, as nobody could answer there, and whoever sent it has ended. */
async function toldOfTwo() {
  const phone = await withPhone({ answers: undefined, approvals: undefined });
  const { project, begin, asks } = phone;
  await asks(['q-1', 'q-2']);
  const { end } = await begin();
  await expect.poll(() => logged(project, 'notify.sent')).toMatchObject([{ requests: ['q-1', 'q-2'] }]);
  await end();
  return phone;
}

it('a reply to a message that told of several answers none of them', async () => {
  const { server, project, begin } = await toldOfTwo();
  await begin({ notify: { channels: { phone: phoneAt(server.url) } } });
  server.write('Postgres', { from: ada, to: 1 });
  await expect
    .poll(() => server.sent()[1]?.text)
    .toMatch(/^That message tells of several: nothing was recorded/);
  expect(await logged(project, 'help.answered')).toEqual([]);
});

/** Takes nothing into its log, as long as that is full. */
function unwritable(own: Project, log: { isFull: boolean; tries?: number } = { isFull: true }): Project {
  return {
    ...own,
    get state() {
      return own.state;
    },
    as: (source) => unwritable(own.as(source), log),
    record: (...facts) => {
      log.tries = (log.tries ?? 0) + 1;
      return log.isFull ? Promise.reject(logBusy('events.jsonl', 9_000)) : own.record(...facts);
    },
  };
}

it('a message that the log does not take is sent once, and does not keep the next one from being sent', async () => {
  const log = { isFull: true, tries: 0 };
  const { server, project, problems, begin, asks } = await withPhone();
  await begin({ as: (own) => unwritable(own, log), timing: { recordMs: 60_000 } });
  await asks('q-1');
  await expect.poll(() => problems.length).toBe(1);
  await asks('q-2', { question: 'Which cache?' });
  await expect.poll(() => problems.length).toBe(2);
  expect(server.sent().map(({ text }) => /Which \w+\?/.exec(text ?? '')?.[0])).toEqual([
    'Which database?',
    'Which cache?',
  ]);
  expect(await logged(project, 'notify.sent')).toEqual([]);
  // It is tried again later.
  expect(log.tries).toBe(2);
});

it.each([
  ['meanwhile', {}, () => Promise.resolve()],
  ['when its process ends', { recordMs: 60_000 }, (end: () => Promise<void>) => end()],
])(
  'a message that the log does not take is recorded %s once it does, and told by nobody again',
  async (_when, timing, leave) => {
    const log = { isFull: true };
    const { server, project, problems, begin, asks } = await withPhone();
    const { end } = await begin({ as: (own) => unwritable(own, log), timing });
    await asks('q-1');
    await expect.poll(() => problems.length).toBe(1);
    log.isFull = false;
    await leave(end);
    await expect.poll(() => logged(project, 'notify.sent')).toMatchObject([{ requests: ['q-1'] }]);
    await end();
    const next = await begin();
    await asks('q-2', { question: 'Which cache?' });
    await expect.poll(() => server.sent()).toHaveLength(2);
    await next.end();
    expect(problems).toHaveLength(1);
    expect(await logged(project, 'notify.sent')).toHaveLength(2);
  },
);

it('a message that the log does not take is reminded of', async () => {
  const { server, problems, begin, asks } = await withPhone({ remind: 1 });
  await begin({ as: (own) => unwritable(own) });
  await asks('q-1');
  await expect.poll(() => problems.length, { timeout: 5_000 }).toBe(2);
  expect(server.sent().map(({ text }) => /it has waited/.test(text ?? ''))).toEqual([false, true]);
});

it('a message that the log never takes nor refuses holds up no end', async () => {
  const { server, begin, asks } = await withPhone();
  const { promise: isRecording, resolve: records } = Promise.withResolvers<void>();
  const { end } = await begin({
    as: (own) => ({
      ...own,
      as: (source) => ({
        ...own.as(source),
        record: () => {
          records();
          return new Promise(() => undefined);
        },
      }),
    }),
  });
  await asks('q-1');
  await isRecording;
  await end();
  expect(server.sent()).toHaveLength(1);
});

it('a message of which the log cannot say whether it has it is recorded once', async () => {
  const { server, project, problems, begin, asks } = await withPhone();
  const { end } = await begin({ logAs: (log) => silentAbout('notify.sent', log) });
  await asks('q-1');
  await expect.poll(() => problems.length).toBe(1);
  await asks('q-2', { question: 'Which cache?' });
  await expect.poll(() => server.sent()).toHaveLength(2);
  await end();
  expect(await logged(project, 'notify.sent')).toMatchObject([{ requests: ['q-1'] }, { requests: ['q-2'] }]);
});

describe('a message that the log has not taken yet is not told again', () => {
  /** A board whose log takes nothing yet, and what it was told. */
  async function fullBoard() {
    const log = { isFull: true };
    const told: { request?: string; task?: string }[] = [];
    const { url } = await webServer(({ body }) => {
      told.push(JSON.parse(body) as (typeof told)[number]);
      return {};
    });
    const called = await calledProject({
      notify: { channels: { board: { via: 'webhook', url, after: 0 } } },
    });
    await called.begin({ as: (own) => unwritable(own, log) });
    return { log, told, ...called };
  }

  it('with what is asked then', async () => {
    const { log, told, project, problems, asks } = await fullBoard();
    await asks('q-1');
    await expect.poll(() => problems.length).toBe(1);
    await asks('q-2', { question: 'Which cache?' });
    await expect.poll(() => problems.length).toBe(2);
    expect(told.map(({ request }) => request)).toEqual(['q-1', 'q-2']);
    log.isFull = false;
    await expect
      .poll(() => logged(project, 'notify.sent'))
      .toMatchObject([{ requests: ['q-1'] }, { requests: ['q-2'] }]);
  });

  it('with what fails then', async () => {
    const { log, told, project, stream, problems } = await fullBoard();
    const begins = (task: string, runId: string) =>
      project.dispatch(stream, () => [
        { type: 'task.started', subject: `${stream}/${task}`, data: { attempt: 1, by: 'runner', runId } },
      ]);
    const fails = (task: string) =>
      project.dispatch(stream, () => [
        {
          type: 'task.failed',
          subject: `${stream}/${task}`,
          data: { reason: 'it does not build', by: 'runner' },
        },
      ]);
    const tasks = ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` }));
    await project.dispatch(stream, () => [{ type: 'sprint.amended', subject: stream, data: { tasks } }]);
    await fails('a');
    await expect.poll(() => problems.length).toBe(1);
    await begins('b', 'run-2');
    await fails('b');
    await expect.poll(() => problems.length).toBe(2);
    expect(told.map(({ task }) => task)).toEqual(['a', 'b']);
    log.isFull = false;
    await expect
      .poll(() => logged(project, 'notify.sent'))
      .toMatchObject([{ failures: [{ task: 'a' }] }, { failures: [{ task: 'b' }] }]);
  });
});

describe('a message whose question is over', () => {
  it('is left alone where the service does not let it be changed, as one that was deleted', async () => {
    const { server, project, begin, asks, edits } = await withPhone();
    const { end } = await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    server.refuse({ editMessageText: 'Bad Request: message to edit not found' });
    await answersInShell(project, 'q-1', 'Postgres');
    await expect.poll(edits).toHaveLength(1);
    await asks('q-2');
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(2);
    await answersInShell(project, 'q-2', 'Postgres');
    await expect.poll(edits).toHaveLength(2);
    expect(edits().map(({ message_id }) => message_id)).toEqual([1, 2]);
    await end();
    // It may have been a token that was wrong.
    expect(await logged(project, 'notify.settled')).toEqual([]);
    server.refuse({});
    await begin();
    await expect
      .poll(() => logged(project, 'notify.settled'))
      .toMatchObject([{ request: 'q-1' }, { request: 'q-2' }]);
  });

  it('and which says so already, is recorded as settled, whoever was killed before that was', async () => {
    const { server, project, begin, asks, edits } = await withPhone();
    const { end } = await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    server.refuse({
      editMessageText:
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
    });
    await answersInShell(project, 'q-1', 'Postgres');
    await expect.poll(() => logged(project, 'notify.settled')).toMatchObject([{ request: 'q-1' }]);
    await end();
    await begin();
    await asks('q-2');
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(2);
    expect(edits()).toHaveLength(1);
  });

  it('and which told of several, from another process, loses its buttons and keeps its words', async () => {
    const { project, begin, edits } = await toldOfTwo();
    await answersInShell(project, 'q-1', 'Postgres');
    await answersInShell(project, 'q-2', 'SQLite');
    // It remembers nothing of what was sent.
    await begin({ without: ['NOTHING'] });
    await expect.poll(() => logged(project, 'notify.settled')).toHaveLength(2);
    expect(edits()).toMatchObject([{ method: 'editMessageReplyMarkup', message_id: 1 }]);
  });

  it('the same where one of them was said to be settled, and the other was not', async () => {
    const { project, stream, begin, asks, edits } = await withPhone({
      answers: undefined,
      approvals: undefined,
    });
    await asks(['q-1', 'q-2']);
    const { end } = await begin();
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    await end();
    await answersInShell(project, 'q-1', 'Postgres');
    await answersInShell(project, 'q-2', 'SQLite');
    const [told] = (await project.refresh()).streams.get(stream)?.requests.get('q-1')?.told ?? [];
    const data = { channel: 'phone', place: told?.place, service: 'telegram', request: 'q-1', ref: '1' };
    await project.record(stream, [{ type: 'notify.settled', subject: `${stream}/a`, data }]);
    await begin({ without: ['NOTHING'] });
    await expect.poll(() => logged(project, 'notify.settled')).toHaveLength(2);
    expect(edits()).toMatchObject([{ method: 'editMessageReplyMarkup', message_id: 1 }]);
  });

  it('the same where the service has one name for two messages: which of them it is nobody knows', async () => {
    const { server, project, begin, asks, edits } = await withPhone();
    server.odd({ sendMessage: { ok: true, result: { message_id: 1 } } });
    const { end } = await begin();
    await asks(['q-1', 'q-2']);
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(2);
    await end();
    await answersInShell(project, 'q-1', 'Postgres');
    await answersInShell(project, 'q-2', 'SQLite');
    await begin({ without: ['NOTHING'] });
    await expect.poll(() => logged(project, 'notify.settled')).toHaveLength(2);
    expect(edits()).toMatchObject([{ method: 'editMessageReplyMarkup', message_id: 1 }]);
  });
});
