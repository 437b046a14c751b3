import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approval } from '../../helpers/approval.ts';
import { answersInShell, calledProject, logged } from './support/called-project.ts';
import { slackServer } from './support/slack-server.ts';

const tokens = { token: 'xoxb-123456789012-abcdefghijkl', appToken: 'xapp-1-A0123456789-0123456789' };

async function team(channel: object = {}) {
  const server = await slackServer(tokens);
  const called = await calledProject({
    notify: {
      channels: {
        team: {
          via: 'slack',
          url: server.url,
          token: '${BOT}',
          appToken: '${APP}',
          chat: 'C1',
          after: 0,
          answers: { ada: 'U0ADA' },
          ...channel,
        },
      },
    },
    env: { BOT: tokens.token, APP: tokens.appToken },
  });
  await called.begin();
  await expect.poll(server.connected).toBe(1);
  const request = async (id: string) =>
    (await called.project.refresh()).streams.get('demo')?.requests.get(id);
  return { server, ...called, request };
}

const ts = '1700000000.000001';
/** As Slack says that too much is posted. */
const busy = { status: 429, headers: { 'retry-after': '0' }, json: { ok: false, error: 'ratelimited' } };

describe('a question in Slack', () => {
  it('is answered by a button over the connection that Clifford opened, and the message says so', async () => {
    const { server, project, asks, request } = await team();
    await asks('q-1', { question: 'Ship <!channel> & go?', options: ['Postgres', 'SQLite'] });
    await expect.poll(() => server.buttons().map(({ label }) => label)).toEqual(['Postgres', 'SQLite']);
    // What an agent says is no markup: nobody is mentioned by it.
    expect(JSON.stringify(server.posted()[0]?.['blocks'])).toContain(
      '{"type":"plain_text","text":"Clifford · ',
    );
    expect(server.posted()[0]?.text).not.toContain('<!channel>');
    server.press('e-1', server.buttons()[1]?.value ?? '', { user: 'U0ADA', ts });
    await expect
      .poll(async () => (await request('q-1'))?.answer)
      .toMatchObject({ response: 'SQLite', option: 1 });
    expect(await logged(project, 'help.answered')).toMatchObject([
      { source: '/clifford/notify', by: 'ada', via: 'slack' },
    ]);
    await expect.poll(() => server.acknowledged).toEqual(['e-1']);
    await expect
      .poll(() => server.calls.find(({ method }) => method === 'chat.update'))
      .toMatchObject({ ts, text: '✔ ada answered it in Slack: SQLite' });
    const update = JSON.stringify(server.calls.find(({ method }) => method === 'chat.update'));
    expect(update).toContain('Ship <!channel> & go?');
    expect(JSON.stringify(server.posted()[0])).toContain('Reply to this message');
    expect(update).not.toContain('Reply to this message');
    expect(server.posted().at(-1)).toMatchObject({ thread_ts: ts, text: 'Recorded: SQLite' });
  });

  it('mentions nobody and makes no link by what an agent offered, also in what is said of an answer', async () => {
    const { server, project, asks, request } = await team();
    const option = '<!channel> <https://evil.example|your bank>';
    await asks('q-1', { options: [option, 'no'] });
    await expect.poll(() => server.buttons().length).toBe(2);
    server.write('e-1', '1', { user: 'U0ADA', thread: ts });
    await expect.poll(async () => (await request('q-1'))?.answer?.response).toBe(option);
    await expect.poll(() => server.posted().at(-1)?.text).toMatch(/^Recorded: /);
    await answersInShell(project, 'q-1', 'no');
    server.write('e-2', 'yes', { user: 'U0ADA', thread: ts });
    await expect
      .poll(() => server.posted().at(-1)?.text)
      .toMatch(/^Nothing was recorded: it was over already/);
    for (const { text = '', ...more } of server.posted().slice(1))
      expect({ text, more }).toEqual({
        text: expect.not.stringMatching(/[<>]/),
        more: expect.objectContaining({ unfurl_links: false }),
      });
  });

  it('is as long as Slack takes a text, whatever was asked, also when it says how it ended', async () => {
    const { server, project, asks } = await team();
    const options = Array.from({ length: 15 }, (_, n) => `${n} ${'of them '.repeat(40)}`);
    await asks('q-1', { question: `${'Which of them '.repeat(400)}?`, options });
    await expect.poll(() => server.posted().length).toBe(1);
    await answersInShell(project, 'q-1', 'all '.repeat(60));
    const update = () => server.calls.find(({ method }) => method === 'chat.update');
    await expect.poll(update).toBeDefined();
    const lengths = [server.posted()[0], update()].map((call) => {
      const [block] = z
        .array(z.looseObject({ text: z.object({ text: z.string() }) }))
        .parse(call?.['blocks']);
      return block?.text.text.length;
    });
    expect(lengths[0]).toBeGreaterThan(2_900);
    expect(lengths[1]).toBe(3_000);
    expect(await logged(project, 'notify.failed')).toEqual([]);
  });

  it('is answered by a reply in its thread; an envelope that comes again is acknowledged, and answers nothing', async () => {
    const { server, project, asks, request } = await team();
    await asks('q-1');
    await expect.poll(() => server.posted()).toHaveLength(1);
    server.write('e-1', 'Postgres &amp; a cache', { user: 'U0ADA', thread: ts });
    await expect.poll(async () => (await request('q-1'))?.answer?.response).toBe('Postgres & a cache');
    server.write('e-1', 'Postgres &amp; a cache', { user: 'U0ADA', thread: ts });
    await expect.poll(() => server.acknowledged).toEqual(['e-1', 'e-1']);
    expect(await logged(project, 'help.answered')).toHaveLength(1);
    expect(server.posted()).toHaveLength(2);
  });

  it.each([
    ['see <http://README.md|README.md> &amp; <mailto:a@b.test|a@b.test>', 'see README.md & a@b.test'],
    ['<mailto:a@b.test> or <https://x.test/?a=1&amp;b=2>', 'a@b.test or https://x.test/?a=1&b=2'],
    [
      'use <https://a.test/v2|this one>, <https://b.test/|b.test>',
      'use this one (https://a.test/v2), b.test',
    ],
    ['<#C1|general>, <@U1> &lt;https://x.test&gt;', '<#C1|general>, <@U1> <https://x.test>'],
  ])('takes %j, in which Slack has made links, as it was typed', async (written, typed) => {
    const { server, asks, request } = await team();
    await asks('q-1');
    await expect.poll(() => server.posted()).toHaveLength(1);
    server.write('e-1', written, { user: 'U0ADA', thread: ts });
    await expect.poll(async () => (await request('q-1'))?.answer?.response).toBe(typed);
  });

  it('takes a reply that is sent to the channel as well, or with a file, and nothing that was changed or deleted', async () => {
    const { server, asks, request } = await team();
    await asks(['q-1', 'q-2']);
    await expect.poll(() => server.posted()).toHaveLength(2);
    const second = '1700000000.000002';
    const sent = { user: 'U0ADA', thread: ts };
    server.write('e-1', 'no', { ...sent, subtype: 'message_deleted' });
    server.write('e-2', 'Postgres', { ...sent, subtype: 'thread_broadcast' });
    server.write('e-3', 'As drawn', { ...sent, thread: second, subtype: 'file_share' });
    await expect.poll(() => server.acknowledged).toHaveLength(3);
    const answers = [await request('q-1'), await request('q-2')].map((each) => each?.answer?.response);
    expect(new Set(answers)).toEqual(new Set(['As drawn', 'Postgres']));
    await expect
      .poll(() =>
        server
          .posted()
          .slice(2)
          .map(({ text }) => text),
      )
      .toEqual(['Recorded: Postgres', 'Recorded: As drawn\nThe file stays here: the agent does not see it.']);
  });

  it('tells who comes second who was first', async () => {
    const { server, project, asks } = await team();
    await asks('q-1');
    await expect.poll(() => server.posted()).toHaveLength(1);
    await answersInShell(project, 'q-1', 'Postgres');
    server.write('e-1', 'SQLite', { user: 'U0ADA', thread: ts });
    await expect.poll(() => server.posted().at(-1)?.text).toContain('bob answered it in the shell');
  });
});

describe('others in Slack', () => {
  it('answer nothing, and what they say elsewhere is none of our business', async () => {
    const { server, project, asks, request } = await team({ approvals: true });
    await asks('q-1', { kind: 'approval', question: 'Allow it?', approval });
    await expect.poll(() => server.buttons()).toHaveLength(2);
    server.press('e-1', server.buttons()[0]?.value ?? '', { user: 'U0EVE', ts });
    server.write('e-2', 'yes', { user: 'U0EVE', thread: ts });
    server.write('e-3', 'yes', { user: 'U0EVE', thread: '1600000000.000001' });
    server.write('e-4', 'yes', { user: 'U0ADA', thread: '1600000000.000001' });
    server.write('e-5', 'yes', { user: 'U0ADA', thread: ts, channel: 'C2' });
    await expect.poll(() => server.acknowledged).toHaveLength(5);
    expect((await request('q-1'))?.phase).toBe('open');
    expect(await logged(project, 'notify.refused')).toMatchObject([
      { sender: 'U0EVE', why: 'is not among those who may answer' },
      { sender: 'U0ADA', why: 'wrote in another chat' },
    ]);
    expect(server.posted()).toHaveLength(1);
    server.write('e-6', 'yes', { user: 'U0ADA', thread: ts });
    await expect
      .poll(async () => (await request('q-1'))?.answer)
      .toMatchObject({ verdict: 'approved', scope: 'once', by: 'ada', via: 'slack' });
  });
});

describe('the connection to Slack', () => {
  it('is opened anew when Slack asks for it, and when it breaks, which is said once', async () => {
    const { server, project, asks, request, problems } = await team();
    await asks('q-1');
    await expect.poll(() => server.posted()).toHaveLength(1);
    server.disconnect();
    await expect.poll(server.connections, { timeout: 5_000 }).toBe(2);
    expect(problems).toEqual([]);
    server.cut();
    await expect.poll(server.connections, { timeout: 5_000 }).toBe(3);
    await expect.poll(server.connected).toBe(1);
    expect(await logged(project, 'notify.failed')).toMatchObject([
      { why: expect.stringMatching(/^no answers can be read: .* lost the connection for answers$/) },
    ]);
    server.write('e-1', 'Postgres', { user: 'U0ADA', thread: ts });
    await expect.poll(async () => (await request('q-1'))?.answer?.response).toBe('Postgres');
  });

  it('brings a message once that Slack takes later', async () => {
    const { server, project, asks } = await team();
    server.troubles.push(busy);
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    expect(await logged(project, 'notify.failed')).toMatchObject([
      { why: expect.stringContaining('HTTP 429') },
    ]);
    await answersInShell(project, 'q-1', 'Postgres');
    await expect
      .poll(() => server.calls.find(({ method }) => method === 'chat.update'))
      .toMatchObject({ ts });
    // What was refused, and what was taken.
    expect(server.posted()).toHaveLength(2);
  });

  it('does not hinder a message, nor does a message that is not taken say a token', async () => {
    const { server, root, project, asks, problems } = await team();
    server.troubles.push(busy, { json: { ok: false, error: `not_allowed_${tokens.token}` } });
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.failed')).toHaveLength(2);
    const said = problems.join() + (await readFile(`${root}/.clifford/events.jsonl`, 'utf8'));
    expect(said).toContain('HTTP 429');
    expect(said).not.toContain('abcdefghijkl');
  });
});
