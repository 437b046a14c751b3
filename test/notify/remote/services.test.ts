import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addProject } from '../../../src/workflow/projects/known-projects.ts';
import { approval } from '../../helpers/approval.ts';
import { freePorts } from '../../helpers/free-ports.ts';
import { answersInShell, calledProject, logged } from './support/called-project.ts';
import { mailServer } from './support/mail-server.ts';
import { ntfyServer } from './support/ntfy-server.ts';
import { webServer, type Answer, type Received } from './support/web-server.ts';

/** A service that takes everything, but for what is in `troubles`, which comes first. */
async function service(...troubles: Answer[]) {
  const received: Received[] = [];
  const { url } = await webServer((each) => {
    received.push(each);
    return troubles.length > 0 ? troubles.shift() : { json: { ok: true } };
  });
  const bodies = () => received.map(({ body }): unknown => JSON.parse(body));
  return { url, received, bodies };
}

describe('a webhook', () => {
  const secret = 'correct-horse-battery-staple';

  it('is signed over its id, its time and its body, and has the same id when it comes again', async () => {
    const { url, received } = await service({ status: 500 });
    const { begin, asks, project } = await calledProject({
      notify: { channels: { board: { via: 'webhook', url, secret: '${HOOK}', after: 0 } } },
      env: { HOOK: secret },
    });
    await begin();
    await asks('q-1', { options: ['a', 'b'] });
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    expect(received).toHaveLength(2);
    for (const { headers, body } of received) {
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
      const expected = createHmac('sha256', secret).update([id, at, body].join('.')).digest('base64');
      expect(signature).toBe(`v1,${expected}`);
      expect(Math.abs(Number(at) * 1_000 - Date.now())).toBeLessThan(60_000);
      expect(JSON.parse(body)).toMatchObject({ id, kind: 'question', request: 'q-1', options: ['a', 'b'] });
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('names the project, and how to answer from any folder, where this user has listed several', async () => {
    const { url, bodies } = await service();
    const { begin, asks, project, root, env } = await calledProject({
      notify: { channels: { board: { via: 'webhook', url, after: 0 } } },
    });
    await begin();
    const name = basename(root);
    await asks('q-1');
    await expect.poll(bodies).toHaveLength(1);
    expect(bodies()).toMatchObject([
      {
        project: name,
        title: expect.stringMatching(/^Clifford · Sprint demo: a asks/),
        hint: 'Answer with: clifford answer q-1 "…"',
      },
    ]);
    await addProject(env, root);
    await addProject(env, dirname(root));
    await asks('q-2', { approval });
    await expect.poll(bodies).toHaveLength(2);
    expect(bodies()).toMatchObject([
      {},
      {
        project: name,
        title: `Clifford · ${name} · Sprint demo: a waits for your yes`,
        hint: `See what it would do, and how to allow or deny it, with: clifford --project ${name} questions`,
      },
    ]);
    await asks(['q-3', 'q-4']);
    await expect.poll(bodies).toHaveLength(3);
    expect(bodies()).toMatchObject([
      {},
      {},
      { hint: `See and answer them with: clifford --project ${name} questions` },
    ]);
    expect(await logged(project, 'notify.failed')).toEqual([]);
  });

  it('of Slack and Discord has what they take, and mentions nobody', async () => {
    const { url, bodies } = await service();
    const { begin, asks } = await calledProject({
      notify: {
        channels: {
          slack: { via: 'webhook', url, format: 'slack', after: 0 },
          discord: { via: 'webhook', url, format: 'discord', after: 0 },
        },
      },
    });
    await begin();
    await asks('q-1', { question: `<!channel> @everyone ${'x'.repeat(3_000)}` });
    await expect.poll(bodies).toHaveLength(2);
    expect(bodies()).toContainEqual({ text: expect.stringContaining('&lt;!channel&gt;') });
    expect(bodies()).toContainEqual({
      content: expect.stringMatching(/^[^]{100,2000}$/),
      allowed_mentions: { parse: [] },
      flags: 4,
    });
  });

  it('has a question as it reads, line by line, without the marks of its markdown', async () => {
    const { url, bodies } = await service();
    const channel = (format: string) => ({ via: 'webhook', url, format, after: 0 });
    const { begin, asks } = await calledProject({
      notify: { channels: { own: channel('clifford'), discord: channel('discord') } },
    });
    await begin();
    await asks('q-1', {
      question: 'Which **database**?\nSay `pg` or:\n\n1. one\n2. two\n\n```sh\n# no heading\nrm *.tmp\n```',
      context: '> the _old_ one is [here](https://x.test)',
    });
    await expect.poll(bodies).toHaveLength(2);
    const text = 'Which database?\nSay pg or:\n\n1. one\n2. two\n\n# no heading\nrm *.tmp';
    const context = 'the old one is here (https://x.test)';
    expect(bodies()).toContainEqual(expect.objectContaining({ text: `${text}\n\n${context}` }));
    const escaped = text.replace('#', String.raw`\#`).replace('*', String.raw`\*`);
    expect(bodies()).toContainEqual(expect.objectContaining({ content: expect.stringContaining(escaped) }));
  });

  it('that fails is said once, whatever id or time it puts into its words, and once more with another status', async () => {
    const failure = (status: number, id: string) => ({ status, json: { error: 'boom', request_id: id } });
    const { url } = await service(
      failure(500, 'r0'),
      failure(500, 'r1'),
      failure(502, 'r2'),
      failure(502, 'r3'),
    );
    const { begin, asks, project } = await calledProject({
      notify: { channels: { board: { via: 'webhook', url, after: 0 } } },
    });
    await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent'), { timeout: 5_000 }).toHaveLength(1);
    expect(await logged(project, 'notify.failed')).toMatchObject([
      { why: expect.stringContaining('HTTP 500: {"error":"boom","request_id":"r0"}') },
      { why: expect.stringContaining('HTTP 502') },
    ]);
  });

  it('follows no redirect, and says nowhere what its address is', async () => {
    const other = await service();
    const { url } = await service({
      status: 302,
      headers: { location: other.url },
      text: 'see /T0/B0/verysecretpart, or verysecretpart',
    });
    const { begin, asks, project, problems, root } = await calledProject({
      notify: { channels: { board: { via: 'webhook', url: '${HOOK}', after: 0 } } },
      env: { HOOK: `${url}/T0/B0/verysecretpart` },
    });
    await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.failed')).toHaveLength(1);
    expect(other.received).toEqual([]);
    const said = problems.join() + (await readFile(`${root}/.clifford/events.jsonl`, 'utf8'));
    expect(said).toContain('answered HTTP 302: see …, or …');
    expect(said).not.toContain('verysecretpart');
  });
});

describe('ntfy', () => {
  it('gets the message as JSON, with a page to open and no right to answer', async () => {
    const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';
    const { url, published } = await ntfyServer({ lets: [`Bearer ${token}`] });
    const { begin, asks } = await calledProject({
      notify: {
        channels: {
          push: { via: 'ntfy', url, topic: '${TOPIC}', token: '${NTFY}', after: 0, shows: 'names' },
        },
      },
      env: { TOPIC: 'sprints-x7', NTFY: token },
    });
    await begin({ linkTo: () => 'https://sofa.example/q' });
    await asks('q-1', { kind: 'approval', question: 'Allow rm -rf /?', approval });
    await expect
      .poll(() => published)
      .toEqual([
        {
          topic: 'sprints-x7',
          title: 'Clifford · Sprint demo: a waits for your yes',
          message:
            'See what it would do, and how to allow or deny it, with: clifford questions, or on the page',
          priority: 4,
          tags: ['lock'],
          click: 'https://sofa.example/q',
          actions: [{ action: 'view', label: 'Open', url: 'https://sofa.example/q' }],
        },
      ]);
  });

  it('gets a table row by row, as it reads', async () => {
    const { url, published } = await ntfyServer();
    const { begin, asks } = await calledProject({
      notify: { channels: { push: { via: 'ntfy', url, topic: 't', after: 0 } } },
    });
    await begin();
    const table = '| Base | Cost |\n|------|------|\n| **SQLite** | none |\n| Postgres | a server |';
    await asks('q-1', { question: `Which one?\n\n${table}\n\nBoth do.` });
    await expect
      .poll(() => published)
      .toMatchObject([
        {
          message: expect.stringContaining(
            'Which one?\n\nBase | Cost\nSQLite | none\nPostgres | a server\n\nBoth do.',
          ),
        },
      ]);
  });

  it('gets no message that it would make a file of: of 4,096 bytes at most, however long the question is', async () => {
    const { url, published } = await ntfyServer();
    const { begin, asks } = await calledProject({
      notify: { channels: { push: { via: 'ntfy', url, topic: 't', after: 0 } } },
    });
    await begin();
    await asks('q-1', { question: `Which ${'€'.repeat(6_000)}?` });
    await expect.poll(() => published).toHaveLength(1);
    const message = published[0]?.message ?? '';
    expect(message).toMatch(/^Which €€/);
    expect(Buffer.byteLength(message)).toBeGreaterThan(3_000);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
  });

  it.each([
    ['a topic that none may have', { topic: 'ada s topic' }, 'HTTP 400: {"code":40009,'],
    ['no login where one is needed', {}, 'HTTP 403: {"code":40301,'],
    ['a login that is wrong', { token: '${NTFY}' }, 'HTTP 401: {"code":40101,'],
  ])('refuses %s, and that is said', async (_what, more, why) => {
    const { url, published } = await ntfyServer({ lets: ['Bearer tk_another', 'Basic YWRhOnB3'] });
    const { begin, asks, project, problems } = await calledProject({
      notify: { channels: { push: { via: 'ntfy', url, topic: 'sprints-x7', after: 0, ...more } } },
      env: { NTFY: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' },
    });
    await begin();
    await asks('q-1');
    const said = expect.stringContaining(why);
    await expect
      .poll(() => logged(project, 'notify.failed'))
      .toMatchObject([{ why: said, retryMs: 600_000 }]);
    expect(problems).toEqual([said]);
    expect(published).toEqual([]);
  });

  it('says nowhere what its topic and its token are, which a server repeats', async () => {
    const { url } = await ntfyServer({
      troubles: [{ status: 403, text: 'no tk_secretsecret for ada-secret-topic' }],
    });
    const { begin, asks, project, problems, root } = await calledProject({
      notify: { channels: { push: { via: 'ntfy', url, topic: '${TOPIC}', token: '${TOKEN}', after: 0 } } },
      env: { TOPIC: 'ada-secret-topic', TOKEN: 'tk_secretsecret' },
    });
    await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.failed')).toHaveLength(1);
    const said = problems.join() + (await readFile(`${root}/.clifford/events.jsonl`, 'utf8'));
    expect(said).toContain('HTTP 403: no … for …');
    expect(said).not.toMatch(/tk_secretsecret|ada-secret-topic/);
  });

  it('that is away is tried again, longer each time, and said once', async () => {
    const { url, received } = await ntfyServer({
      troubles: [undefined, undefined, { status: 429, headers: { 'retry-after': '1' } }],
    });
    const { begin, asks, project, problems } = await calledProject({
      notify: { channels: { push: { via: 'ntfy', url, topic: 't', after: 0 } } },
    });
    await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent'), { timeout: 5_000 }).toHaveLength(1);
    expect(received).toHaveLength(4);
    expect(await logged(project, 'notify.failed')).toMatchObject([
      { why: expect.stringContaining('cannot be reached'), retryMs: 40 },
      { why: expect.stringContaining('HTTP 429'), retryMs: 1_000 },
    ]);
    expect(problems).toHaveLength(2);
  });
});

describe('e-mail', () => {
  const mail = {
    via: 'email',
    from: 'clifford@example.com',
    to: ['ada@example.com', 'bob@example.com'],
    after: 0,
  };

  it('goes to a real mail server, with a login, one conversation for each question', async () => {
    const { url, mails, logins } = await mailServer({
      refuses: [{ responseCode: 451, message: 'come again' }],
    });
    const { begin, asks, project } = await calledProject({
      notify: { channels: { mail: { ...mail, url, user: 'clifford', password: '${SMTP}', remind: 1 } } },
      env: { SMTP: 'correct-horse-battery' },
    });
    await begin();
    await asks('q-1', { question: 'Which one?\r\nBcc: eve@example.com', options: ['Postgres', 'SQLite'] });
    await expect.poll(() => mails.length, { timeout: 6_000 }).toBe(2);
    await answersInShell(project, 'q-1', 'Postgres');
    const header = (name: string) =>
      mails.map((text) => new RegExp(`^${name}: (.*)$`, 'mi').exec(text)?.[1]?.trim());
    expect(header('Subject')).toEqual([
      expect.stringContaining('Clifford'),
      expect.stringContaining('Clifford'),
    ]);
    expect(header('To')).toEqual(Array(2).fill('ada@example.com, bob@example.com'));
    expect(new Set(header('References')).size).toBe(1);
    expect(new Set(header('Message-ID')).size).toBe(2);
    expect(header('Auto-Submitted')).toEqual(Array(2).fill('auto-generated'));
    expect(mails[0]?.split('\r\n\r\n')[0]).not.toContain('Bcc');
    expect(logins).toContain('clifford:correct-horse-battery');
    expect(await logged(project, 'notify.failed')).toMatchObject([{ why: expect.stringContaining('451') }]);
  });

  it.each([
    ['says nothing', () => undefined],
    ['always says that there is more', (socket: Socket) => socket.write('220 here\r\n')],
  ])('holds up no end where its server %s', async (_what, greet) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      greet(socket);
      const more = setInterval(() => socket.bytesWritten > 0 && socket.write('250-x\r\n'), 50);
      socket.on('close', () => clearInterval(more));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { begin, asks } = await calledProject({
      notify: { channels: { mail: { ...mail, url: `smtp://127.0.0.1:${port}` } } },
    });
    const { end } = await begin();
    await asks('q-1');
    await expect.poll(() => sockets.size).toBe(1);
    const since = Date.now();
    await end();
    expect(Date.now() - since).toBeLessThan(5_000);
    // Nor is its connection left: that would hold up the process.
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('that a server takes later is sent until then, and the failure said once, whatever id is in its words', async () => {
    const later = (id: string) => ({ responseCode: 451, message: `greylisted, see ${id}` });
    const { url, mails } = await mailServer({ refuses: [later('r0'), later('r1')] });
    const { begin, asks, project } = await calledProject({
      notify: { channels: { mail: { ...mail, url } } },
    });
    await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent'), { timeout: 5_000 }).toHaveLength(1);
    expect(mails).toHaveLength(1);
    expect(await logged(project, 'notify.failed')).toMatchObject([
      { why: expect.stringContaining('see r0') },
    ]);
  });

  it('reaches a server that was not there when it was to be sent, once', async () => {
    const [port = 0] = await freePorts(1);
    const { begin, asks, project } = await calledProject({
      notify: { channels: { mail: { ...mail, url: `smtp://127.0.0.1:${port}` } } },
    });
    const { end } = await begin();
    await asks('q-1');
    const failed = [{ why: expect.stringContaining('cannot be reached') }];
    await expect.poll(() => logged(project, 'notify.failed')).toMatchObject(failed);
    const { mails } = await mailServer({ port });
    await expect.poll(() => logged(project, 'notify.sent'), { timeout: 5_000 }).toHaveLength(1);
    await end();
    expect(mails).toHaveLength(1);
    expect(await logged(project, 'notify.failed')).toMatchObject(failed);
  });

  it('says nowhere what its password is', async () => {
    const base64 = Buffer.from('\0clifford\0correct-horse-battery').toString('base64');
    const message = `no such password correct-horse-battery, ${base64}`;
    const { url, mails } = await mailServer({ refuses: [{ responseCode: 550, message }] });
    const { begin, asks, project, problems, root } = await calledProject({
      notify: { channels: { mail: { ...mail, url, user: 'clifford', password: '${SMTP}' } } },
      env: { SMTP: 'correct-horse-battery' },
    });
    await begin();
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.failed')).toHaveLength(1);
    expect(mails).toEqual([]);
    const said = problems.join() + (await readFile(`${root}/.clifford/events.jsonl`, 'utf8'));
    expect(said).not.toContain('correct-horse-battery');
    expect(said).not.toContain('Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5');
    expect(said).toContain('no such password …, …');
    expect(await logged(project, 'notify.failed')).toMatchObject([{ retryMs: 600_000 }]);
  });
});
