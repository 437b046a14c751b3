import { spawnSync } from 'node:child_process';
import { get } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RequestLimits } from '../../../src/web/server/guards/limit-requests.ts';
import { addToken, revokeToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { makeCertificate } from '../../helpers/make-certificate.ts';
import { onServedRequest } from '../../helpers/served-requests.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { codeOf, served, serveProject } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';

const agent = { id: 'a1', client: 'codex' };

it('answers to its own hosts alone: a name of somebody else that leads here is refused (DNS rebinding)', async () => {
  const { ask: call, server, problems } = await served();
  const { port } = server;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
    expect(await call('/api/state', { headers: { host } })).toMatchObject({ status: 200 });
  const foreign = [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:${port}.evil.example`,
  ];
  for (const host of foreign) {
    const reply = await call('/api/state', { headers: { host } });
    expect([reply.status, codeOf(reply)]).toEqual([421, 'HOST_FOREIGN']);
    expect(reply.text).not.toContain('evil');
  }
  // And one that is called by two names.
  const twice = connect(port, '127.0.0.1');
  twice.end(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\n\r\n`);
  expect(await text(twice)).toMatch(/^HTTP\/1\.1 421 /);
  // The page itself, too.
  expect(await call('/', { token: null, headers: { host: 'evil.example' } })).toMatchObject({ status: 421 });
  // Each is said once.
  await call('/', { headers: { host: 'evil.example' } });
  expect(problems.filter((each) => each.includes('"evil.example"'))).toHaveLength(1);
  await call('/', { headers: { host: `${'x'.repeat(10_000)}.example` } });
  expect(problems.at(-1)?.length).toBeLessThan(500);
});

it('answers to names that it was given', async () => {
  const { ask: call, server } = await served({ names: ['box.tail.example', 'localhost:9000'] });
  expect(await call('/api/state', { headers: { host: `box.tail.example:${server.port}` } })).toMatchObject({
    status: 200,
  });
  const tunnel = { host: 'localhost:9000', origin: 'http://localhost:9000' };
  expect(await call('/api/state', { headers: tunnel })).toMatchObject({ status: 200 });
});

it('answers to origins that it was given, exactly, as a proxy or a tunnel sends them', async () => {
  const { ask: call, server } = await served({ names: ['https://box.example', 'http://proxy.example:8080'] });
  const status = async (host: string, origin?: string) =>
    (await call('/api/state', { headers: origin === undefined ? { host } : { host, origin } })).status;
  const own = `127.0.0.1:${server.port}`;
  for (const host of ['box.example', 'BOX.example:443', own]) {
    expect(await status(host), host).toBe(200);
    expect(await status(host, 'https://box.example'), host).toBe(200);
  }
  expect(await status('proxy.example:8080', 'http://proxy.example:8080')).toBe(200);
  for (const host of [`box.example:${server.port}`, 'box.example:80', 'proxy.example', 'proxy.example:80'])
    expect(await status(host), host).toBe(421);
  for (const [host, origin] of [
    ['box.example', 'http://box.example'],
    ['box.example', 'https://box.example:8443'],
    ['box.example', 'https://box.example.evil.example'],
    ['box.example', 'https://evil.example'],
    ['proxy.example:8080', 'https://proxy.example:8080'],
    [own, 'https://127.0.0.1'],
    [own, 'http://box.example'],
  ] as const)
    expect(await status(host, origin), `${host} ${origin}`).toBe(403);
});

it('has the address that others call it by first', async () => {
  const { server } = await served({ host: '0.0.0.0', names: ['https://box.example', 'localhost:9000'] });
  expect(server.url).toBe('https://box.example/');
  const here = await served({ names: ['https://box.example'] });
  expect(here.server.url).toBe(`http://127.0.0.1:${here.server.port}/`);
});

it('takes no request of a page of another origin, whatever token it has', async () => {
  const { ask: call, server, project } = await served();
  const request = await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
  const own = `http://127.0.0.1:${server.port}`;
  const path = `/api/questions/${request.id}/answer`;
  const foreign = [
    'null',
    'http://evil.example',
    `http://127.0.0.1:${server.port + 1}`,
    `https://127.0.0.1:${server.port}`,
    `http://localhost:${server.port}`,
  ];
  for (const origin of foreign) {
    const reply = await call(path, { body: { response: 'that' }, headers: { origin } });
    expect([origin, reply.status, codeOf(reply)]).toEqual([origin, 403, 'ORIGIN_FOREIGN']);
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  }
  for (const site of ['cross-site', 'same-site']) {
    const reply = await call(path, { body: { response: 'that' }, headers: { 'sec-fetch-site': site } });
    expect(reply.status).toBe(403);
  }
  expect(project.state.streams.get('demo')?.requests.get(request.id)?.phase).toBe('open');
  const headers = { origin: own, 'sec-fetch-site': 'same-origin' };
  expect(await call(path, { body: { response: 'that' }, headers })).toMatchObject({ status: 200 });
});

it('answers nothing without a valid token, and says why', async () => {
  const { ask: call, env, root } = await served();
  const expired = await addToken(env, root, {
    name: 'my old one',
    may: 'decide',
    expiresAt: '2020-01-01T00:00:00.000Z',
  });
  const revoked = await addToken(env, root, { name: 'gone', may: 'decide' });
  expect(await call('/api/state', { token: revoked })).toMatchObject({ status: 200 });
  await revokeToken(env, root, 'gone');
  const cases: [string | null, string][] = [
    [null, 'TOKEN_NEEDED'],
    ['', 'TOKEN_NEEDED'],
    ['wrong', 'TOKEN_NEEDED'],
    ['a'.repeat(10_000), 'TOKEN_NEEDED'],
    [revoked, 'TOKEN_NEEDED'],
    [expired, 'TOKEN_EXPIRED'],
  ];
  for (const [token, code] of cases) {
    // Too many of them are another refusal.
    const paths =
      token === null ? ['/api/state', '/api/events', '/api/openapi.json', '/api/nothing'] : ['/api/state'];
    for (const path of paths) {
      const reply = await call(path, { token });
      expect([path, reply.status, codeOf(reply)]).toEqual([path, 401, code]);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
  }
  const reply = await call('/api/state', { token: expired });
  expect(reply.text).toContain("clifford serve token revoke 'my old one', then");
  await expect(addToken(env, root, { name: 'my old one', may: 'read' })).rejects.toMatchObject({
    code: 'TOKEN_EXISTS',
    fix: "Choose another name, or end it first with: clifford serve token revoke 'my old one'",
  });
});

it('takes a token from its header only: not from an address, a cookie or a Referer', async () => {
  const { ask: call, server, problems } = await served();
  const { token } = server;
  const headers = { cookie: `token=${token}`, referer: `http://127.0.0.1/?t=${token}` };
  const reply = await call(`/api/state?token=${token}&t=${token}`, { token: null, headers });
  expect(reply.status).toBe(401);
  expect(JSON.stringify(reply)).not.toContain(token);
  expect(reply.headers['referrer-policy']).toBe('no-referrer');
  expect(problems.join('\n')).not.toContain(token);
});

it('writes no token into the log', async () => {
  const { ask: call, server, project, root } = await served();
  const { id } = await ask(project, { stream: 'demo', agent, kind: 'clarification', question: 'Which?' });
  await call(`/api/questions/${id}/answer`, { body: { response: 'This' } });
  await call('/api/sprints/demo/pause', { body: {} });
  const log = await readFile(join(root, '.clifford/events.jsonl'), 'utf8');
  expect(log).toContain('/clifford/web');
  expect(log).not.toContain(server.token);
});

/** However slow this machine is, no time passes for what is counted. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

it('does not look at wrong tokens of one address for ever, and goes on answering to the right one', async () => {
  const { ask: call } = await served();
  stopClock();
  const replies = await Promise.all(
    Array.from({ length: 25 }, (_, n) => call('/api/state', { token: `wrong${n}` })),
  );
  const statuses = replies.map(({ status }) => status);
  expect([
    statuses.filter((each) => each === 401).length,
    statuses.filter((each) => each === 429).length,
  ]).toEqual([20, 5]);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.headers['retry-after']).toBe('3');
  expect(await call('/api/state')).toMatchObject({ status: 200 });
});

it('counts wrong tokens from one network of IPv6 together', () => {
  const limits = new RequestLimits();
  for (let at = 0; at < 20; at += 1) limits.noteWrong(`2001:db8::${at}`);
  expect(() => limits.noteWrong('2001:db8::ffff')).toThrow('another wrong token');
  expect(() => limits.noteWrong('2001:db8:0:1::1')).not.toThrow();
});

it('answers so many requests of one valid token, also one that only reads, and takes no answer from another', async () => {
  const { ask: call, env, root } = await served();
  const token = await addToken(env, root, { name: 'wall screen', may: 'read' });
  stopClock();
  const together = (number: number) =>
    Promise.all(Array.from({ length: number }, () => call('/api/diagrams/none', { token })));
  // Pages that are opened all at once, and each read what they show, are far from it.
  for (let asked = 0; asked < 5_000; asked += 100)
    expect(new Set((await together(100)).map(codeOf))).toEqual(new Set(['INPUT_INVALID']));
  const [refused] = await together(1);
  expect(refused && [refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([
    429,
    'TOO_MANY_REQUESTS',
    '1',
  ]);
  expect((await call('/api/state')).status).toBe(200);
  vi.advanceTimersByTime(1_000);
  const later: number[] = [];
  for (const number of [255, 255]) later.push(...(await together(number)).map(({ status }) => status));
  expect(later.filter((status) => status === 429)).toHaveLength(10);
}, 60_000);

it('lets a token that may only read decide nothing', async () => {
  const { ask: call, env, root, project } = await served();
  const token = await addToken(env, root, { name: 'wall screen', may: 'read' });
  const request = await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
  const posts = ['answer', 'reject', 'rephrase', 'dismiss', 'approve', 'deny', 'explain', 'reveal'].map(
    (verb) => `questions/${request.id}/${verb}`,
  );
  const acts = ['pause', 'resume', 'stop', 'retry', 'skip', 'cancel', 'note'].map(
    (verb) => `sprints/demo/${verb}`,
  );
  for (const path of [...posts, ...acts]) {
    const reply = await call(`/api/${path}`, { token, body: {} });
    expect([path, reply.status, codeOf(reply)]).toEqual([path, 403, 'READ_ONLY']);
  }
  const state = await call('/api/state', { token });
  expect(state.json()['reader']).toEqual({
    name: 'wall screen',
    may: 'read',
    mayAlways: false,
    mayReveal: false,
  });
});

it('closes the stream of a token that is revoked', async () => {
  const { server, env, root } = await served();
  const token = await addToken(env, root, { name: 'phone', may: 'decide' });
  const [own, phone] = [await readStream(server), await readStream(server, '', { token })];
  await revokeToken(env, root, 'phone');
  await expect.poll(() => phone.last('end')).toEqual({ why: 'token' });
  await expect.poll(phone.isOver).toBe(true);
  expect(own.isOver()).toBe(false);
});

it('closes the stream of a token whose time is over, and no other', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, env, root } = await served();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const token = await addToken(env, root, { name: 'phone', may: 'decide', expiresAt });
  const phone = await readStream(server, '', { token });
  const other = await addToken(env, root, { name: 'wall screen', may: 'read' });
  const screen = await readStream(server, '', { token: other });
  vi.setSystemTime(expiresAt);
  await expect.poll(() => phone.last('end')).toEqual({ why: 'token' });
  await expect.poll(phone.isOver).toBe(true);
  expect(screen.isOver()).toBe(false);
});

it('closes it also while the log does not answer', async () => {
  const { root, project } = await projectWithSprint();
  const home = await tempRoot();
  const env = { HOME: home, XDG_STATE_HOME: home };
  const refresh = vi.fn<Project['refresh']>(() => project.refresh());
  const shown: Project = Object.create(project, { refresh: { value: refresh } });
  const { server } = await serveProject(Object.create(project, { as: { value: () => shown } }), { env });
  const token = await addToken(env, root, { name: 'phone', may: 'decide' });
  const phone = await readStream(server, '', { token });
  refresh.mockClear();
  refresh.mockReturnValue(new Promise(() => undefined));
  await expect.poll(() => refresh.mock.calls.length).toBe(1);
  await revokeToken(env, root, 'phone');
  await expect.poll(() => phone.last('end')).toEqual({ why: 'token' });
});

it('closes the streams of all tokens that were made where nobody can say which are valid', async () => {
  const { ask: call, server, env, root } = await served();
  const token = await addToken(env, root, { name: 'phone', may: 'decide' });
  const [own, phone] = [await readStream(server), await readStream(server, '', { token })];
  await writeFile(join(env['HOME'] ?? '', 'clifford', 'web-tokens.json'), '{');
  await expect.poll(() => phone.last('end')).toEqual({ why: 'token' });
  const refused = await call('/api/state', { token });
  expect([refused.status, codeOf(refused)]).toEqual([503, 'TOKENS_UNREADABLE']);
  expect(await call('/api/state')).toMatchObject({ status: 200 });
  expect(own.isOver()).toBe(false);
});

it('lets one token take no stream from another one', async () => {
  const { ask: call, server, env, root } = await served();
  const token = await addToken(env, root, { name: 'wall screen', may: 'read' });
  await Promise.all(Array.from({ length: 250 }, () => readStream(server, '', { token })));
  const refused = await call('/api/events', { token });
  expect([refused.status, codeOf(refused)]).toEqual([503, 'TOO_MANY_STREAMS']);
  // Whoever asks on keeps no connection by it either.
  expect(refused.headers.connection).toBe('close');
  expect((await readStream(server)).isOver()).toBe(false);
});

it('lets whoever says nothing, from one address, take no connection from who has a token', async () => {
  const { ask: call, server } = await served();
  const stream = await readStream(server);
  const silent = Array.from({ length: 520 }, () =>
    connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' }),
  );
  onTestFinished(() => silent.forEach((socket) => socket.destroy()));
  let closed = 0;
  for (const socket of silent) socket.on('error', () => undefined).on('close', () => (closed += 1));
  // The oldest make room, and not the stream, which came before them.
  await expect.poll(() => closed).toBe(21);
  expect(await call('/api/state')).toMatchObject({ status: 200 });
  expect(stream.isOver()).toBe(false);
});

it('takes so many connections from one address, also with tokens', async () => {
  const { ask: call, server, env, root } = await served();
  const names = ['phone', 'wall screen'];
  const tokens = await Promise.all(names.map((name) => addToken(env, root, { name, may: 'read' })));
  const streams = await Promise.all(
    tokens.flatMap((token) => Array.from({ length: 250 }, () => readStream(server, '', { token }))),
  );
  await expect(call('/api/state')).rejects.toThrow(/ECONNRESET|socket hang up/);
  streams[0]?.close();
  await expect.poll(() => call('/api/state').catch(() => undefined)).toMatchObject({ status: 200 });
});

describe.runIf(spawnSync('openssl', ['version']).status === 0)('with TLS', () => {
  const certified = async () => makeCertificate(await tempRoot()) ?? expect.fail('no certificate');

  it('does not wait for a connection that says nothing', async () => {
    const { server } = await served({ tls: await certified(), requestMs: 300 });
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.resume();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });

  it('answers with the certificate that it was given, and only so', async () => {
    const tls = await certified();
    const { server } = await served({ tls });
    expect(server.url).toMatch(/^https:/);
    const ca = await readFile(tls.cert);
    const status = (token: string) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` };
        const url = `https://127.0.0.1:${server.port}/api/state`;
        get(url, { ca, headers, agent: false }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
      });
    expect([await status(server.token), await status('wrong')]).toEqual([200, 401]);
    await expect(fetch(`http://127.0.0.1:${server.port}/api/state`)).rejects.toThrow('fetch failed');
  });
});

it('says of a log that cannot be read that it is not what was asked', async () => {
  const { ask: call, root } = await served();
  const log = join(root, '.clifford', 'events.jsonl');
  await rm(log, { force: true });
  await mkdir(log, { recursive: true });
  const refused = await call('/api/questions');
  expect([refused.status, codeOf(refused)]).toEqual([503, expect.stringMatching(/^LOG_/)]);
});

it('takes a request without a body for one with nothing in it, and says what has to be there', async () => {
  const { ask: call } = await served();
  const bare = (path: string) => call(path, { method: 'POST' });
  expect((await bare('/api/looking')).status).toBe(200);
  const messageOf = async (reply: ReturnType<typeof call>) =>
    ((await reply).json()['error'] as { message: string }).message;
  expect(await messageOf(bare('/api/questions/q-1/answer'))).toBe(
    'Cannot take the body: it has to have either response or answers',
  );
  expect(await messageOf(call('/api/sprints/demo/task'))).toBe('Cannot take the query: task has to be there');
  expect(await messageOf(call('/api/sprints/demo/skip', { body: { task: 1 } }))).toBe(
    'Cannot take the body: task has to be of the type string',
  );
  expect(await messageOf(call('/api/sprints/demo/pause', { body: { now: true } }))).toBe(
    'Cannot take the body: it has no now in the schema',
  );
});

it('takes JSON only, and not much of it', async () => {
  const { ask: call } = await served();
  const path = '/api/questions/q-1/answer';
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
  ])
    expect(codeOf(await call(path, { raw: '{"response":"x"}', headers: { 'content-type': type } }))).toBe(
      'NOT_JSON',
    );
  // Of no length that is said, and no type.
  const unsaid = { method: 'POST', headers: { 'transfer-encoding': 'chunked' } };
  expect(codeOf(await call('/api/sprints/demo/pause', unsaid))).toBe('NOT_JSON');
  expect(codeOf(await call(path, { raw: '{"response":' }))).toBe('INPUT_INVALID');
  expect(codeOf(await call(path, { body: { response: 'x', extra: 1 } }))).toBe('INPUT_INVALID');
  for (const deep of [
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  ]) {
    const reply = await call('/api/questions/q-1/approve', { raw: `{"edit":{"args":{"a":${deep}}}}` });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'INPUT_INVALID']);
  }
  expect(codeOf(await call(path, { body: { response: 'x'.repeat(65_537) } }))).toBe('INPUT_INVALID');
});

it.each([{}, { 'transfer-encoding': 'chunked' }])(
  'takes a body of 1 MiB, and no byte more: %o',
  async (headers) => {
    const { ask: call } = await served();
    const most = Buffer.alloc(1_048_576, ' ').fill('{}', 0, 2);
    expect((await call('/api/looking', { raw: most, headers })).status).toBe(200);
    for (const more of [1, 9_437_184]) {
      const reply = await call('/api/looking', {
        raw: Buffer.concat([most, Buffer.alloc(more, ' ')]),
        headers,
      });
      expect([reply.status, codeOf(reply)]).toEqual([413, 'BODY_TOO_LONG']);
    }
  },
);

it('waits 5 s for the head of a request and 15 s for all of it, where nothing else is said', async () => {
  const waits: unknown[] = [];
  onServedRequest(({ server: { headersTimeout, requestTimeout } }) =>
    waits.push({ headersTimeout, requestTimeout }),
  );
  await (await served()).ask('/api/state');
  expect(waits).toEqual([{ headersTimeout: 5_000, requestTimeout: 15_000 }]);
});

it('does not wait for a request that comes slowly', async () => {
  const { server } = await served({ requestMs: 300 });
  for (const slow of [
    'POST /api/questions/q-1/answer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Len',
    `POST /api/questions/q-1/answer HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"resp`,
  ]) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(slow);
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString('utf8')));
    await once(socket, 'close');
    expect(answer).toMatch(/^(HTTP\/1\.1 408|$)/);
  }
});

it('waits at its end for what is still being sent, but not for long', async () => {
  const { server } = await served();
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(`POST /api/looking HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Le`);
  const over = once(socket, 'close');
  await server.close();
  expect(await over).toHaveLength(1);
});

it('says nothing of a request whose sender hangs up', async () => {
  const { ask: call, server, problems } = await served();
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /api/questions/q-1/answer HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"resp`,
  );
  await call('/api/state');
  socket.destroy();
  for (let at = 0; at < 3; at += 1) await call('/api/state');
  expect(problems).toEqual([]);
});

it('gives out the files of the page, and no other, however they are asked for', async () => {
  const { ask: call, root } = await served();
  expect(await call('/', { token: null })).toMatchObject({
    status: 503,
    text: expect.stringContaining('was not built'),
  });
  await mkdir(join(root, 'page', 'assets'), { recursive: true });
  await writeFile(
    join(root, 'page', 'index.html'),
    '<head><script src="a.js"></script><style>a{}</style></head>',
  );
  await writeFile(join(root, 'page', 'assets', 'index-3f2a9b7c.js'), 'main()');
  await writeFile(join(root, 'secret.txt'), 'secret');

  const index = await call('/', { token: null });
  const policy = String(index.headers['content-security-policy']);
  const [, nonce = ''] = /script-src 'self' 'nonce-([\w-]{16,})'/.exec(policy) ?? [];
  expect(index.text).toBe(
    `<head><script nonce="${nonce}" src="a.js"></script><style nonce="${nonce}">a{}</style></head>`,
  );
  expect(policy).toMatch(/default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect((await call('/', { token: null })).text).not.toContain(nonce);
  for (const [name, value] of [
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['cache-control', 'no-store'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-resource-policy', 'same-origin'],
  ])
    expect(index.headers[name ?? '']).toBe(value);

  const script = await call('/assets/index-3f2a9b7c.js', { token: null });
  expect([script.text, script.headers['content-type'], script.headers['cache-control']]).toEqual([
    'main()',
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/%00',
    '//secret.txt',
    '/index.html/../../secret.txt',
    `/${join(root, 'secret.txt')}`,
  ]) {
    const reply = await call(path, { token: null });
    expect([path, reply.status, reply.text.includes('secret\n') || reply.text === 'secret']).toEqual([
      path,
      404,
      false,
    ]);
  }
});
