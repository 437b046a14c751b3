import { Ajv2020 } from 'ajv/dist/2020.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { identify } from '../../../src/lib/processes/process-identity.ts';
import { hasProcessTable } from '../../../src/lib/processes/process-table.ts';
import { addToken, isTokenValid, revokeToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { pushSubscriptions } from '../../../src/workflow/push/push-subscriptions.ts';
import { ALL_PROJECTS } from '../../../src/workflow/project/user-memory.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { skipTask } from '../../../src/workflow/sprint/control.ts';
import { agentAtWork } from '../../helpers/agent-at-work.ts';
import { approval } from '../../helpers/approval.ts';
import { on } from '../../helpers/history.ts';
import { servedEverywhere } from '../../helpers/served-everywhere.ts';
import { projectWithSprint, writeSprint } from '../../helpers/temp-project.ts';
import { codeOf, serveProject } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';

const agent = { id: 'a1', client: 'codex' };

/** Two projects with a sprint each, and one whose folder is gone. */
async function three() {
  const [one, two] = [await projectWithSprint(), await projectWithSprint()];
  const known = [
    { name: 'one', root: one.root },
    { name: 'work/two', root: two.root },
    { name: 'gone', root: join(one.root, 'gone') },
  ];
  return { one, two, known, all: await servedEverywhere(known) };
}

const two = '/p/work~1two';

it('lists all projects: those first in which something waits, the greatest risk first, and why one cannot be opened', async () => {
  const { one, two: second, all } = await three();
  await agentAtWork(second, { argv: ['agent'] });
  await ask(one.project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
  await askApproval(second.project, { stream: 'demo', taskId: 'a', agent, approval });
  await writeSprint(one.root, { id: 'new' });
  await one.project.dispatch('demo', () => [{ type: 'job.added', subject: 'demo', data: { by: 'ada' } }]);
  await skipTask(one.project, { stream: 'demo', taskId: 'b', by: 'ada', reason: 'later' });
  const reply = await all.ask('/api/projects');
  expect(reply.json()).toMatchObject({
    version: '0.0.0',
    projects: [
      { name: 'work/two', path: 'p/work~1two/', sprints: 1, waiting: 1, first: { kind: 'approval' } },
      {
        name: 'one',
        path: 'p/one/',
        sprints: 2,
        standing: '2 sprints: 1 queued · 1 pending',
        tasks: { total: 4, done: 0, failed: 0, setAside: 1, blocked: 0 },
        lastEventAt: one.project.state.streams.get('demo')?.lastEventAt,
        running: 0,
        waiting: 1,
        first: { title: 'Which?' },
      },
      { name: 'gone', waiting: 0, whyNot: expect.stringContaining(`there is no ${one.root}/gone`) },
    ],
  });
  const document = (await all.ask('/api/openapi.json')).json();
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'api');
  const check = ajv.compile({ $ref: 'api#/components/schemas/Projects' });
  expect([check(reply.json()), check.errors]).toEqual([true, null]);
  expect(Object.keys(document['paths'] as object)).toEqual(['/api/projects', '/api/openapi.json']);
});

it('answers about each project below its own path as a server of it alone would', async () => {
  const { two: second, all } = await three();
  const request = await ask(second.project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
  const state = (await all.ask(`${two}/api/state`)).json();
  expect(state).toMatchObject({ project: 'work/two', list: '../../', questions: [{ id: request.id }] });
  expect((await all.ask('/p/one/api/state')).json()).toMatchObject({ project: 'one', questions: [] });
  const { paths } = (await all.ask(`${two}/api/openapi.json`)).json();
  expect(Object.keys(paths as object)).toContain('/api/questions/{id}/answer');
  const stream = await readStream(all.server, '', { below: two });
  await expect.poll(() => stream.last('state')).toMatchObject({ project: 'work/two' });
  const body = { response: 'that one' };
  // The question of one is none of another's.
  expect(await all.ask(`/p/one/api/questions/${request.id}/answer`, { body })).toMatchObject({ status: 404 });
  expect(await all.ask(`${two}/api/questions/${request.id}/answer`, { body })).toMatchObject({ status: 200 });
  await second.project.refresh();
  expect(second.project.state.streams.get('demo')?.requests.get(request.id)).toMatchObject({
    phase: 'answered',
    answer: { response: 'that one', by: 'ada', via: 'web' },
  });
});

it('keeps everybody out below the prefix who is kept out in front of it', async () => {
  const { all } = await three();
  const own = `http://127.0.0.1:${all.server.port}`;
  for (const path of ['/api/projects', '/p/one/api/state', '/p/nothing/api/state', '/p/gone/api/state']) {
    const foreign = await all.ask(path, { headers: { origin: 'http://evil.example' } });
    expect([path, foreign.status, codeOf(foreign)]).toEqual([path, 403, 'ORIGIN_FOREIGN']);
    const host = await all.ask(path, { headers: { host: 'evil.example' } });
    expect([path, host.status, codeOf(host)]).toEqual([path, 421, 'HOST_FOREIGN']);
    const without = await all.ask(path, { token: null });
    expect([path, without.status, codeOf(without)]).toEqual([path, 401, 'TOKEN_NEEDED']);
  }
  expect(await all.ask('/p/one/api/state', { headers: { origin: own } })).toMatchObject({ status: 200 });
  // Wrong tokens are counted together, wherever they are tried.
  for (let count = 0; count < 16; count += 1) await all.ask(`/p/p${count}/api/state`, { token: 'wrong' });
  expect(await all.ask('/p/one/api/state', { token: 'wrong' })).toMatchObject({ status: 429 });
  expect(await all.ask('/p/one/api/state')).toMatchObject({ status: 200 });
});

it('finds names in its list alone: no path leads elsewhere, and without a token none is told from another', async () => {
  const { all, one } = await three();
  const root = encodeURIComponent(one.root);
  for (const name of ['nothing', '..%2Fone', '%2e%2e', 'constructor', '__proto__', root, '%zz', 'one%00']) {
    const reply = await all.ask(`/p/${name}/api/state`);
    expect([name, reply.status]).toEqual([name, 404]);
  }
  const pages = await Promise.all(['one', 'nothing'].map((name) => all.ask(`/p/${name}/`, { token: null })));
  const [known, unknown] = pages.map(({ status, text }) => [status, text]);
  expect(known).toEqual(unknown);
  for (const name of ['work%2Ftwo', 'a%0Ab', '%E5%BA%97']) {
    const moved = await all.ask(`/p/${name}`, { token: null });
    expect([moved.status, moved.headers.location]).toEqual([308, `./${name}/`]);
  }
  expect(all.problems).toEqual([]);
});

it('has tokens of its own: none of a project opens it, none of it opens a project that is served alone', async () => {
  const { all, one } = await three();
  const ofAll = await addToken(all.env, ALL_PROJECTS, { name: 'phone', may: 'decide' });
  const ofOne = await addToken(all.env, one.root, { name: 'tablet', may: 'decide' });
  const alone = await serveProject(one.project, { env: all.env });
  expect(await all.ask('/p/one/api/state', { token: ofAll })).toMatchObject({ status: 200 });
  expect(await all.ask('/p/one/api/state', { token: ofOne })).toMatchObject({ status: 401 });
  expect(await alone.ask('/api/state', { token: ofOne })).toMatchObject({ status: 200 });
  expect(await alone.ask('/api/state', { token: ofAll })).toMatchObject({ status: 401 });
  expect(await alone.ask('/api/projects')).toMatchObject({ status: 404 });
  // A browser that asks for it with that token is called about the project as long as it is valid.
  const target = {
    endpoint: 'https://fcm.googleapis.com/x',
    keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
  };
  expect(await all.ask('/p/one/api/push', { token: ofAll, body: target })).toMatchObject({ status: 200 });
  const [browser] = await pushSubscriptions({ root: one.root, env: all.env });
  const isCalled = () => isTokenValid(all.env, one.root, browser?.token ?? '');
  expect([browser?.name, await isCalled()]).toEqual(['phone', true]);
  await revokeToken(all.env, ALL_PROJECTS, 'phone');
  expect(await isCalled()).toBe(false);
  expect(await all.ask(`${two}/api/state`, { token: ofAll })).toMatchObject({ status: 401 });
});

it('opens what could not be opened once it can be, and follows the list', { timeout: 30_000 }, async () => {
  const { all, known, one } = await three();
  const third = await projectWithSprint();
  const closed = await all.ask('/p/gone/api/state');
  expect([closed.status, codeOf(closed)]).toEqual([503, 'PROJECT_AWAY']);
  await third.project.close();
  await rename(third.root, join(one.root, 'gone'));
  all.list(known.filter(({ name }) => name !== 'work/two'));
  const names = async () => {
    const { projects } = (await all.ask('/api/projects')).json();
    return (projects as { name: string; whyNot?: string }[]).map(({ name, whyNot }) => [name, whyNot]);
  };
  await expect.poll(names, { timeout: 20_000, interval: 500 }).toEqual([
    ['one', undefined],
    ['gone', undefined],
  ]);
  expect(await all.ask('/p/gone/api/state')).toMatchObject({ status: 200 });
  expect(await all.ask(`${two}/api/state`)).toMatchObject({ status: 404 });
});

/** Once it is told to, asks two things by one connection, and prints what came back, and from how many ports it asked. */
const program = `
const { request, Agent } = require('node:http');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ports = new Set();
const send = ({ port, token }, path) => new Promise((resolve) => {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'content-length': 2 };
  request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (response) => {
    ports.add(response.socket.localPort);
    response.resume().on('end', () => resolve(response.statusCode));
  }).end('{}');
});
process.stdin.once('data', async (text) => {
  const { server, paths } = JSON.parse(text);
  const said = [];
  for (const path of paths) said.push(await send(server, path));
  console.log(JSON.stringify([said, ports.size]));
  process.exit(0);
});
`;

it.runIf(hasProcessTable)(
  'knows an agent of one project for that, whichever other it has asked about before',
  async () => {
    const { one, all } = await three();
    const { id } = await askApproval(one.project, { stream: 'demo', taskId: 'a', agent, approval });
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const { pid = 0 } = child;
    await one.project.record('demo', [on('demo/a', 'agent.started', { runId: 'run-7', ...identify(pid) })]);
    const { port, token } = all.server;
    const paths = [`${two}/api/looking`, `/p/one/api/questions/${id}/approve`];
    child.stdin.write(JSON.stringify({ server: { port, token }, paths }));
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(String(said))).toEqual([[200, 403], 1]);
  },
);

it('opens a project anew whose log has become another one', { timeout: 30_000 }, async () => {
  const { one, all } = await three();
  const log = join(one.root, '.clifford/events.jsonl');
  const text = await readFile(log, 'utf8');
  // In its place, and as long as before: whoever follows it is told of nothing.
  await writeFile(log, text.replaceAll('Sprint demo', 'Sprint omed'), { flag: 'r+' });
  const row = async () => {
    const { projects } = (await all.ask('/api/projects')).json();
    return (projects as { name: string }[]).find(({ name }) => name === 'one');
  };
  await expect.poll(row).toMatchObject({ whyNot: expect.stringContaining('the log is another one') });
  await expect.poll(row, { timeout: 20_000, interval: 500 }).not.toHaveProperty('whyNot');
  expect(await all.ask(`${two}/api/state`)).toMatchObject({ status: 200 });
});
