import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openPush } from '../../../src/notify/remote/open-push.ts';
import { callPeople } from '../../../src/notify/remote/call-people.ts';
import { addToken, isTokenValid, revokeToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import { pushSubscriptions } from '../../../src/workflow/push/push-subscriptions.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { codeOf, served, serveProject } from '../../helpers/web-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { logged } from './support/called-project.ts';
import { isSignedFor, pushedBrowser, pushService } from './support/push-service.ts';

const fast = { gatherMs: 10, pauseMs: 10, firstRetryMs: 40, recordMs: 50, turnMs: 20 };
const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** The page of a project that takes browsers of a push service on loopback, and who calls them. */
async function pushed() {
  const service = await pushService();
  const home = await tempRoot();
  const env = { HOME: home, XDG_STATE_HOME: home, CLIFFORD_PUSH_ORIGINS: service.origin };
  const place = await served({ env });
  const { root, project, ask: send } = place;
  const own = await openProject({ root, source: '/clifford/cli', env });
  const isValid = (digest: string) => isTokenValid(env, root, digest);
  const remote = openPush({ root, env, isValid }, { quietHours: undefined });
  const problems: string[] = [];
  const calling = callPeople({
    project: own,
    env,
    remotes: [{ ...remote, rules: { ...remote.rules, afterMs: 0 } }],
    report: (problem) => void problems.push(problem),
    timing: fast,
  });
  onTestFinished(async () => {
    await calling.stop();
    await own.close();
  });
  const asks = (question: string) =>
    ask(project, { stream: 'demo', task: 'a', agent: { id: 'x' }, kind: 'help', question });
  const subscribe = (body: object, how: object = {}) => send('/api/push', { body, ...how });
  const key = async () => String((await send('/api/push/key')).json()['key']);
  const known = () => pushSubscriptions({ root, env });
  return { ...place, env, home, service, asks, subscribe, key, known, problems };
}

it('a browser that has asked for it is called with what is asked, encrypted, and signed with the key that it was given', async () => {
  const { service, asks, subscribe, key, project } = await pushed();
  const browser = pushedBrowser(service.origin);
  expect(await subscribe(browser.subscription)).toMatchObject({ status: 200 });
  const { id } = await asks(`Which store, ${token}?`);
  await vi.waitFor(() => expect(service.received).toHaveLength(1));
  const [message] = service.received;
  if (!message) throw new Error('nothing came');
  const shown = browser.read(message.body);
  expect(shown).toMatchObject({ question: id, body: expect.stringContaining('Which store') as string });
  expect(JSON.stringify(shown)).not.toContain(token);
  expect(message.body.includes('Which store')).toBe(false);
  expect(message.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
  expect(isSignedFor(message.headers.authorization, await key(), service.origin)).toBe(true);
  await vi.waitFor(async () =>
    expect(await logged(project, 'notify.sent')).toMatchObject([
      { channel: 'the page', service: 'web-push', requests: [id] },
    ]),
  );
});

it.each([404, 410])(
  'a browser that is gone (%i) is forgotten, and the others are called all the same',
  async (gone) => {
    const { service, asks, subscribe, known, project } = await pushed();
    const browser = pushedBrowser(service.origin);
    await subscribe(browser.subscription);
    service.state.status = gone;
    await asks('Which?');
    await vi.waitFor(async () => expect(await known()).toEqual([]));
    expect(await logged(project, 'notify.sent')).toEqual([]);
    service.state.status = 201;
    const next = pushedBrowser(service.origin, '/push/2');
    await subscribe(next.subscription);
    await vi.waitFor(() => expect(service.received.at(-1)?.path).toBe('/push/2'), 15_000);
  },
);

it('a push service that is away is tried again, and named by its host alone', async () => {
  const { service, asks, subscribe, problems } = await pushed();
  await subscribe(pushedBrowser(service.origin, '/push/secret-path').subscription);
  Object.assign(service.state, { status: 503, text: 'no room for /push/secret-path' });
  await asks('Which?');
  await vi.waitFor(() => expect(service.received.length).toBeGreaterThan(1));
  expect(problems.join()).toContain('HTTP 503: no room for …');
  expect(problems.join()).not.toContain('secret-path');
});

it('a push service that has too much to do is left alone for as long as it says, and then told once', async () => {
  const { service, asks, subscribe, known, project } = await pushed();
  const browser = pushedBrowser(service.origin);
  await subscribe(browser.subscription);
  Object.assign(service.state, { status: 429, headers: { 'retry-after': '1' } });
  const { id } = await asks('Which?');
  await vi.waitFor(() => expect(service.received).toHaveLength(1));
  Object.assign(service.state, { status: 201, headers: {} });
  await vi.waitFor(
    async () => expect(await logged(project, 'notify.sent')).toMatchObject([{ requests: [id] }]),
    15_000,
  );
  const [first, second, ...others] = service.received;
  if (!first || !second) throw new Error('it was not told again');
  expect(second.at - first.at).toBeGreaterThanOrEqual(1_000);
  expect(browser.read(second.body)).toMatchObject({ question: id });
  // What is told again takes the place of what waits there.
  expect(second.headers['topic']).toBe(first.headers['topic']);
  expect([others, await known()]).toMatchObject([[], [{ endpoint: browser.subscription.endpoint }]]);
});

it('one that wants it no longer is not called, nor one whose token was revoked', async () => {
  const { service, asks, subscribe, ask: send, env, root, known } = await pushed();
  const [first, second, third] = ['/1', '/2', '/3'].map((path) => pushedBrowser(service.origin, path));
  if (!first || !second || !third) throw new Error('three');
  await subscribe(first.subscription);
  const phone = await addToken(env, root, { name: 'phone', may: 'read' });
  await subscribe(second.subscription, { token: phone });
  await subscribe(third.subscription);
  await send('/api/push/end', { body: { endpoint: first.subscription.endpoint } });
  await revokeToken(env, root, 'phone');
  await asks('Which?');
  await vi.waitFor(() => expect(service.received).toHaveLength(1));
  expect(service.received[0]?.path).toBe('/3');
  // Nothing is kept of the other.
  expect(await known()).toMatchObject([{ endpoint: third.subscription.endpoint, name: 'ann' }]);
});

it.each([
  'http://127.0.0.1:1/x',
  'https://169.254.169.254/latest',
  'https://fcm.googleapis.com.evil.example/x',
  'https://fcm.googleapis.com:8443/x',
  'https://user:pass@fcm.googleapis.com/x',
  'file:///etc/passwd',
  'https://127.0.0.1;.notify.windows.com/x',
  'https://localhost{.notify.windows.com/x',
])('nothing is sent to %s, whoever asks for it', async (endpoint) => {
  const { subscribe, known, service } = await pushed();
  const { keys } = pushedBrowser(service.origin).subscription;
  expect(codeOf(await subscribe({ endpoint, keys }))).toBe('PUSH_ENDPOINT_UNKNOWN');
  expect(await known()).toEqual([]);
});

it('push services of browsers are taken, and what is kept is in files of this user alone', async () => {
  const { subscribe, known, home, key, service } = await pushed();
  const { keys } = pushedBrowser(service.origin).subscription;
  for (const host of ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'])
    expect(await subscribe({ endpoint: `https://${host}/x`, keys })).toMatchObject({ status: 200 });
  expect(await known()).toHaveLength(3);
  const given = await key();
  const file = join(home, 'clifford/web-push-keys.json');
  expect(await readFile(file, 'utf8')).toContain(given);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await key()).toBe(given);
});

it('those of a token push out its own oldest alone, and those of a token that is over take nobody’s room', async () => {
  const { subscribe, known, env, root, service } = await pushed();
  const { keys } = pushedBrowser(service.origin).subscription;
  const tokenOf = (name: string) => addToken(env, root, { name, may: 'read' });
  const [tv, wall, desk] = [await tokenOf('tv'), await tokenOf('wall'), await tokenOf('desk')];
  const endpointOf = (name: string, at: number) => `https://fcm.googleapis.com/${name}/${at}`;
  const subscribed = async (name: string, count: number, token?: string) => {
    const replies: number[] = [];
    for (let at = 0; at < count; at++)
      replies.push(
        (await subscribe({ endpoint: endpointOf(name, at), keys }, token ? { token } : {})).status,
      );
    return replies;
  };
  const of = async (name: string) =>
    (await known()).map(({ endpoint }) => endpoint).filter((each) => each.includes(`/${name}/`));
  const expected = (name: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => endpointOf(name, from + at));
  await subscribed('own', 1);
  await subscribed('tv', 25, tv);
  expect([await of('own'), await of('tv')]).toEqual([expected('own', 0, 1), expected('tv', 5, 25)]);
  await subscribed('wall', 20, wall);
  // Of 60 in all 41 are taken.
  expect(new Set(await subscribed('desk', 19, desk))).toEqual(new Set([200]));
  const more = await subscribe({ endpoint: endpointOf('own', 1), keys });
  expect([codeOf(more), more.status, await of('own')]).toEqual(['PUSH_FULL', 409, expected('own', 0, 1)]);
  // One that asks again is none more.
  expect(await subscribed('own', 1)).toEqual([200]);
  await revokeToken(env, root, 'wall');
  expect(await subscribed('own', 25)).toEqual(Array.from({ length: 25 }, () => 200));
  expect([await of('own'), await of('tv'), await of('wall'), await of('desk')]).toEqual([
    expected('own', 5, 25),
    expected('tv', 5, 25),
    [],
    expected('desk', 0, 19),
  ]);
});

it('has no browser called where an agent has started the server', async () => {
  const service = await pushService();
  const home = await tempRoot();
  const env = { HOME: home, CLIFFORD_RUN_ID: 'run-7', CLIFFORD_PUSH_ORIGINS: service.origin };
  const { ask: send } = await served({ env });
  const body = pushedBrowser(service.origin).subscription;
  expect(codeOf(await send('/api/push', { body }))).toBe('NOT_A_HUMAN');
});

it('is ended by whoever has asked for it, or decides for the project: not by somebody with another token', async () => {
  const { subscribe, ask: send, env, root, known, service } = await pushed();
  const [own, phones] = ['/1', '/2'].map((path) => pushedBrowser(service.origin, path));
  if (!own || !phones) throw new Error('two');
  const phone = await addToken(env, root, { name: 'phone', may: 'read' });
  const wall = await addToken(env, root, { name: 'wall', may: 'read' });
  await subscribe(own.subscription);
  await subscribe(phones.subscription, { token: phone });
  const end = (browser: typeof own, how: object = {}) =>
    send('/api/push/end', { body: { endpoint: browser.subscription.endpoint }, ...how });
  await end(own, { token: wall });
  await end(phones, { token: wall });
  expect((await known()).map(({ name }) => name)).toEqual(['ann', 'phone']);
  await end(phones, { token: phone });
  await end(own);
  expect(await known()).toEqual([]);
});

it('is ended by no agent', async () => {
  const { ask: send, env, root, project } = await pushed();
  const { server } = await serveProject(project, { env: { ...env, CLIFFORD_RUN_ID: 'run-7' } });
  const endpoint = 'https://fcm.googleapis.com/x';
  const { keys } = pushedBrowser('https://fcm.googleapis.com', '/x').subscription;
  expect(await send('/api/push', { body: { endpoint, keys } })).toMatchObject({ status: 200 });
  const reply = await fetch(`${server.url}api/push/end`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint }),
  });
  expect(reply.status).toBe(403);
  expect(await pushSubscriptions({ root, env })).toHaveLength(1);
});
