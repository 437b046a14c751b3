import { describe, expect, it } from 'vitest';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { approval } from '../../helpers/approval.ts';
import { forgeSnapshot } from '../../helpers/forge-snapshot.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { answersInShell, logged } from './support/called-project.ts';
import { ada, phoneAt, withPhone } from './support/phone-project.ts';

const call = { kind: 'approval', question: 'Allow fs.write_file?', approval } as const;
const notAllOfIt = /^That message does not show all of the call/;

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
