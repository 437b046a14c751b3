import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OwnSubscriptions } from '../../src/mcp/resources/own-subscriptions.ts';
import { resourceName, uriOf } from '../../src/mcp/resources/resource-name.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { enterSprint } from '../../src/workflow/sprint/enter-sprint.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { connectAgent } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';
import { untilLogged } from './support/project-log.ts';
import { startAttempt } from './support/start-attempt.ts';

const SPRINTS = 'clifford://sprints';
const DEMO = `${SPRINTS}/demo`;
const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** What a resource says. */
async function said(client: Client, uri: string): Promise<Record<string, unknown>> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  if (!first || !('text' in first) || contents.length > 1) throw new Error('not one text');
  expect(first).toMatchObject({ uri, mimeType: 'application/json' });
  return JSON.parse(first.text) as Record<string, unknown>;
}

/** Collects what a client is told of resources: hand it to `prepare`. */
function heard() {
  const updated: string[] = [];
  const lists = { changed: 0 };
  const prepare = (client: Client) => {
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void lists.changed++);
  };
  return { updated, lists, prepare };
}

/** A question about a task, and its answer. */
async function answered(project: Project, response: string, question = 'Which?'): Promise<void> {
  const agent = { id: 'x', client: 'x' };
  const { id } = await ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question });
  await answerRequest(project, id, { by: 'ann', via: 'cli', response });
}

describe('the URI of a resource', () => {
  it.each([
    { is: 'sprints' },
    { is: 'sprint', sprint: 'a_B-1' },
    { is: 'log', sprint: 'a' },
    { is: 'log', sprint: 'a', from: 17 },
    { is: 'task', sprint: 'a', task: 'ä/?#%&' },
  ] as const)('of %j comes back as it was', (name) => {
    expect(resourceName(uriOf(name))).toEqual(name);
  });

  it.each(['clifford://sprints/', `${DEMO}/log?from=0`, `${DEMO}/tasks/%`, `${DEMO}/tasks/a/b`, 'file:///x'])(
    '%s is none',
    (uri) => {
      expect(resourceName(uri)).toBeUndefined();
    },
  );
});

describe('what an agent can read of a project', () => {
  it('are its sprints, their logs and the tasks of those that are not over', async () => {
    const { root, project } = await projectWithSprint();
    const entry = { id: 'z', file: 'z.md', status: 'completed' };
    await writeSprint(root, { id: 'old', manifest: { status: 'completed', tasks: [entry] } });
    await enterSprint(project, findSprintFolder(await listSprintFolders(root), 'old'));
    const { client } = await connectAgent(root);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      SPRINTS,
      DEMO,
      `${DEMO}/log`,
      `${DEMO}/tasks/a`,
      `${DEMO}/tasks/b`,
      `${SPRINTS}/old`,
      `${SPRINTS}/old/log`,
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      `${SPRINTS}/{sprint}`,
      `${SPRINTS}/{sprint}/tasks/{task}`,
      `${SPRINTS}/{sprint}/log{?from}`,
    ]);
  });

  it('says where a sprint and a task stand, what the task says, and what a human said', async () => {
    const { root, project } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    await answered(project, 'The first');
    const { client } = await connectAgent(root);
    expect(await said(client, SPRINTS)).toEqual({
      sprints: [
        {
          uri: DEMO,
          id: 'demo',
          name: 'Sprint demo',
          state: 'active',
          detail: 'running',
          tasks: { pending: 1, active: 1, blocked: 0, done: 0 },
        },
      ],
    });
    expect(await said(client, DEMO)).toMatchObject({
      state: 'active',
      hasRunner: false,
      tasks: [
        { id: 'a', state: 'active', uri: `${DEMO}/tasks/a` },
        { id: 'b', state: 'pending' },
      ],
      log: `${DEMO}/log`,
    });
    expect(await said(client, `${DEMO}/tasks/a`)).toMatchObject({
      state: 'active',
      attempt: 1,
      content: '# Task a\n',
      questions: [{ question: 'Which?', phase: 'answered', answer: 'The first', by: 'ann' }],
    });
  });

  it('has what was asked about a task that was done by then', async () => {
    const { root, project } = await projectWithSprint();
    const task = { stream: 'demo', taskId: 'a', agent: { id: 'x', client: 'x' } };
    await setTaskStatus(project, { ...task, status: 'active' });
    await setTaskStatus(project, { ...task, status: 'completed' });
    await answered(project, 'The first');
    const { client } = await connectAgent(root);
    expect(await said(client, `${DEMO}/tasks/a`)).toMatchObject({
      state: 'done',
      questions: [{ question: 'Which?', answer: 'The first' }],
    });
  });

  it('is of a sprint that the log has not seen, too, and reading enters nothing into it', async () => {
    const root = await tempRoot();
    await writeSprint(root);
    const { client } = await connectAgent(root);
    expect(await said(client, DEMO)).toMatchObject({ state: 'pending', tasks: [{ id: 'a' }, { id: 'b' }] });
    expect(await said(client, `${DEMO}/log`)).toEqual({ version: 0, events: [] });
  });

  it('has no secret: neither of a file, nor of an answer', async () => {
    const { root, dir, project } = await projectWithSprint();
    await writeFile(join(dir, 'a.md'), `# Use ${token}`);
    await answered(project, token);
    const { client } = await connectAgent(root);
    const texts = await Promise.all(
      [SPRINTS, DEMO, `${DEMO}/tasks/a`, `${DEMO}/log`].map(async (uri) =>
        JSON.stringify(await said(client, uri)),
      ),
    );
    expect(texts.filter((text) => text.includes(token))).toEqual([]);
    expect(texts.join()).toContain('looks like a secret');
  });

  it('has a log in parts, each of which leads to those beside it', async () => {
    const { root, project } = await projectWithSprint();
    for (const at of Array.from({ length: 60 }).keys()) await answered(project, 'yes', `Question ${at}?`);
    const { client } = await connectAgent(root);
    await untilLogged(project, 'agent.connected');
    const latest = await said(client, `${DEMO}/log`);
    const { version, earlier } = latest as { version: number; earlier: string };
    expect(version).toBeGreaterThan(120);
    expect((latest['events'] as object[]).at(-1)).toMatchObject({ version });
    const before = await said(client, earlier);
    expect(before).toMatchObject({ later: expect.any(String) as string });
    const seen = [before, await said(client, String(before['later']))].flatMap((part) =>
      (part['events'] as { version: number }[]).map((event) => event.version),
    );
    expect(seen).toEqual(seen.map((_, at) => (seen[0] ?? 0) + at));
    expect(seen.at(-1)).toBe(version);
  });

  it('is bounded: a long text is cut', async () => {
    const { root, dir, project } = await projectWithSprint();
    await writeFile(join(dir, 'a.md'), 'x'.repeat(3_000_000));
    for (const at of Array.from({ length: 30 }).keys())
      await answered(project, 'y'.repeat(60_000), `${at} ${'q'.repeat(60_000)}`);
    const { client } = await connectAgent(root);
    for (const uri of [`${DEMO}/tasks/a`, `${DEMO}/log`])
      expect(JSON.stringify(await said(client, uri)).length).toBeLessThan(400_000);
    expect(await said(client, `${DEMO}/tasks/a`)).toMatchObject({ questionsLeftOut: 10 });
  });

  it.each([
    [`${SPRINTS}/none`, 'no such sprint'],
    [`${DEMO}/tasks/none`, 'no such task'],
    ['clifford://secrets', 'fits no template'],
    ['file:///etc/passwd', 'fits no template'],
  ])('is not %s', async (uri, why) => {
    const { root } = await projectWithSprint();
    const { client } = await connectAgent(root);
    const refused = { code: -32_002, message: expect.stringContaining(why) as string };
    await expect(client.readResource({ uri })).rejects.toMatchObject(refused);
    await expect(client.subscribeResource({ uri })).rejects.toMatchObject(refused);
  });

  it('can be completed: the ids of sprints, and of the tasks of one', async () => {
    const { root } = await projectWithSprint();
    const { client } = await connectAgent(root);
    const values = async (...params: Parameters<Client['complete']>) =>
      (await client.complete(...params)).completion.values;
    const ref = { type: 'ref/resource', uri: `${SPRINTS}/{sprint}/tasks/{task}` } as const;
    expect(await values({ ref, argument: { name: 'sprint', value: 'd' } })).toEqual(['demo']);
    expect(await values({ ref, argument: { name: 'sprint', value: 'x' } })).toEqual([]);
    const context = { arguments: { sprint: 'demo' } };
    expect(await values({ ref, argument: { name: 'task', value: '' }, context })).toEqual(['a', 'b']);
    const prompt = { type: 'ref/prompt', name: 'work-on-next-task' } as const;
    expect(await values({ ref: prompt, argument: { name: 'sprint', value: '' } })).toEqual(['demo']);
  });
});

describe('a subscription', () => {
  it('tells of what says something else than before, whoever changed it, and of nothing else', async () => {
    const { root, project } = await projectWithSprint();
    const { updated, prepare } = heard();
    const { client } = await connectAgent(root, { prepare });
    // What the start of the sprint changes is of all its tasks.
    await startAttempt(project, 'a', 'run-1');
    for (const uri of [DEMO, `${DEMO}/tasks/a`, `${DEMO}/tasks/b`]) await client.subscribeResource({ uri });
    await answered(project, 'no', 'Really?');
    await vi.waitFor(() => expect(updated).toEqual(expect.arrayContaining([DEMO, `${DEMO}/tasks/a`])));
    await project.record('demo', [
      { type: 'agent.stalled', subject: 'demo/a', data: { runId: 'run-1', idleMs: 1 } },
    ]);
    await client.subscribeResource({ uri: `${DEMO}/log` });
    await answered(project, 'yes');
    await vi.waitFor(() => expect(updated).toContain(`${DEMO}/log`));
    expect(updated).not.toContain(`${DEMO}/tasks/b`);
  });

  it('tells of many events at once, and no longer when it is ended', async () => {
    const { root, project } = await projectWithSprint();
    const { updated, prepare } = heard();
    const { client } = await connectAgent(root, { prepare });
    const uri = `${DEMO}/log`;
    await client.subscribeResource({ uri });
    const idle = { type: 'agent.stalled', subject: 'demo/a', data: { runId: 'r', idleMs: 1 } } as const;
    for (let at = 0; at < 100; at++) await project.record('demo', [idle]);
    await vi.waitFor(() => expect(updated.length).toBeGreaterThan(0));
    const { version } = await said(client, uri);
    expect(version).toBeGreaterThan(100);
    expect(updated.length).toBeLessThan(50);
    await client.unsubscribeResource({ uri });
    const before = updated.length;
    await client.subscribeResource({ uri: SPRINTS });
    await startAttempt(project, 'a', 'run-1');
    await vi.waitFor(() => expect(updated).toContain(SPRINTS));
    expect(updated.slice(before)).toEqual([SPRINTS]);
  });

  it('goes on over a log that was replaced', async () => {
    const { root, project } = await projectWithSprint();
    const { updated, prepare } = heard();
    const { client } = await startServer(root).connect();
    prepare(client);
    await client.subscribeResource({ uri: `${DEMO}/log` });
    await project.close();
    await rename(join(root, '.clifford'), join(root, 'gone'));
    await mkdir(join(root, '.clifford'));
    const again = await openTestProject(root);
    await enterSprint(again, findSprintFolder(await listSprintFolders(root), 'demo'));
    await startAttempt(again, 'a', 'run-1');
    await vi.waitFor(() => expect(updated).toContain(`${DEMO}/log`), 5_000);
    expect(await said(client, DEMO)).toMatchObject({ state: 'active' });
  });

  it('tells what another log says, although nothing comes to that', async () => {
    let { project } = await projectWithSprint();
    const { project: other } = await projectWithSprint();
    for (const each of [project, other]) await startAttempt(each, 'a', 'run-1');
    await answered(other, 'yes');
    const updated: (string | undefined)[] = [];
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const subscriptions = new OwnSubscriptions({
      project: async () => project,
      notify: (_method, params) => void updated.push(params?.uri),
      background: () => undefined,
      ending: ending.signal,
    });
    for (const task of ['a', 'b']) await subscriptions.subscribe(`${DEMO}/tasks/${task}`);
    project = other;
    await subscriptions.listed();
    await expect.poll(() => updated).toEqual([`${DEMO}/tasks/a`]);
  });

  it('to the list tells that there is another sprint', async () => {
    const { root, project } = await projectWithSprint();
    const { lists, prepare } = heard();
    const { client } = await connectAgent(root, { prepare });
    await client.listResources();
    await writeSprint(root, { id: 'next' });
    await enterSprint(project, findSprintFolder(await listSprintFolders(root), 'next'));
    await vi.waitFor(() => expect(lists.changed).toBe(1));
  });

  it('works over stdio, too', async () => {
    const { root, project } = await projectWithSprint();
    const { updated, prepare } = heard();
    const { client } = await startServer(root).connect();
    prepare(client);
    await client.subscribeResource({ uri: DEMO });
    await startAttempt(project, 'a', 'run-1');
    await vi.waitFor(() => expect(updated).toEqual([DEMO]), 5_000);
    expect(await said(client, DEMO)).toMatchObject({ state: 'active' });
  });
});
