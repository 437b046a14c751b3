import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { readFile, appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { addTask } from '../../../src/workflow/task/add-task.ts';
import { castLine } from '../../../src/workflow/transcripts/cast.ts';
import type { Source } from '../../../src/events/envelope.ts';
import { BEAT_EVERY_MS } from '../../../src/web/api/beat.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { agentAtWork } from '../../helpers/agent-at-work.ts';
import { approval } from '../../helpers/approval.ts';
import { collectGarbage } from '../../helpers/collect-garbage.ts';
import { on } from '../../helpers/history.ts';
import { onServedRequest } from '../../helpers/served-requests.ts';
import { served, serveProject } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';
import { openTestProject, projectWithSprint } from '../../helpers/temp-project.ts';

const agent = { id: 'a1', client: 'codex' };

function question(project: Project, words: string) {
  return ask(project, { stream: 'demo', agent, kind: 'help', question: words });
}

/** Notes that somebody has worked on a task: an event that changes nothing else. */
async function note(project: Project, text: string): Promise<void> {
  await project.record('demo', [{ type: 'task.noted', subject: 'demo/a', data: { by: 'agent', text } }]);
}

it('tells how everything stands, then what has changed of it', async () => {
  const { server, project } = await served();
  const { id } = await question(project, 'One?');
  const reader = await readStream(server, `?sprint=demo&question=${id}`);
  await expect.poll(() => reader.last('state')?.questions.map(({ title }) => title)).toEqual(['One?']);
  expect(reader.last('state')?.reader).toMatchObject({ name: 'ann', may: 'decide' });
  await expect
    .poll(() => reader.last('sprint')?.tasks.map(({ title }) => title))
    .toEqual(['Task a', 'Task b']);
  expect(reader.last('question')).toMatchObject({ id, phase: 'open' });

  await answerRequest(project, id, { response: 'that', by: 'bob', via: 'tui' });
  await expect
    .poll(() => reader.last('question')?.closing)
    .toMatchObject({ by: 'bob', via: 'tui', response: 'that' });
  expect(reader.last('state')?.questions).toEqual([]);
  expect(reader.all('events').map(({ type, mark, text }) => [type, mark, text])).toEqual([
    ['help.answered', 'answer', 'bob on the screen: that'],
  ]);
});

it('tells the title of a task that is added meanwhile', async () => {
  const { server, project, root } = await served();
  const reader = await readStream(server, '?sprint=demo');
  const titles = () => reader.last('sprint')?.tasks.map(({ title }) => title);
  await expect.poll(titles).toEqual(['Task a', 'Task b']);
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  await addTask(project, folder, { id: 'c', file: 'c.md', text: '# The third', dependsOn: [] });
  await expect.poll(titles, { timeout: 5_000 }).toEqual(['Task a', 'Task b', 'The third']);
});

it('tells the title of a task whose file comes later', async () => {
  const { server, root } = await served();
  const file = join(root, 'sprints', 'demo', 'b.md');
  const text = await readFile(file);
  await rm(file);
  const reader = await readStream(server, '?sprint=demo');
  const titles = () => reader.last('sprint')?.tasks.map(({ title }) => title);
  await expect.poll(titles).toEqual(['Task a', '']);
  await writeFile(file, text);
  await expect.poll(titles, { timeout: 5_000 }).toEqual(['Task a', 'Task b']);
});

it('says that it is there where nothing happens, often enough for a page that gives a silent one up', async () => {
  const { server } = await served();
  const { response } = await readStream(server);
  let said = '';
  response.on('data', (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 2 * BEAT_EVERY_MS }).toMatch(/^: \n\n/m);
});

it('ends with what happened last', async () => {
  const { server, project } = await served();
  const { id } = await question(project, 'One?');
  const reader = await readStream(server, '?sprint=demo');
  await expect.poll(() => reader.last('state')?.questions).toHaveLength(1);
  await answerRequest(project, id, { response: 'that', by: 'bob', via: 'tui' });
  await server.close();
  await expect.poll(() => reader.last('state')?.questions).toEqual([]);
});

/** A project that counts how often it is asked for what is told, and how often somebody looks, which is each second. */
async function countedProject() {
  const { project } = await projectWithSprint();
  const asked = { unwritten: 0, refresh: 0 };
  const counting = (own: Project): Project =>
    new Proxy(own, {
      get: (target, key) => {
        if (key === 'unwritten' || key === 'refresh') asked[key] += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
  const counted = new Proxy(project, {
    get: (target, key) =>
      key === 'as' ? (source: Source) => counting(target.as(source)) : (Reflect.get(target, key) as unknown),
  });
  /** Waits until it was looked twice. */
  const looks = async () => {
    const { refresh } = asked;
    await expect.poll(() => asked.refresh, { timeout: 5_000 }).toBeGreaterThan(refresh + 1);
  };
  return { project: counted, asked, looks };
}

it('tells what the card of a call has beside it when that is found, though nothing happens meanwhile', async () => {
  const found = Promise.withResolvers<void>();
  const { project, looks } = await countedProject();
  const { server } = await serveProject(project, {
    env: {},
    findExtras: {
      offersFor: async (waiting) => {
        await found.promise;
        return new Map(waiting.map(({ id }) => [id, ['a rule']]));
      },
      partsOf: async () => new Map(),
    },
  });
  const { id } = await askApproval(project, { stream: 'demo', taskId: 'a', agent, approval });
  const reader = await readStream(server, `?sprint=demo&question=${id}`);
  await expect.poll(() => reader.last('question')?.id).toBe(id);
  await looks();
  expect(reader.last('question')?.offer).toBeUndefined();
  found.resolve();
  await expect.poll(() => reader.last('question')?.offer).toEqual(['a rule']);
});

it('makes nothing ready to be told while nothing happens', async () => {
  const { project, asked, looks } = await countedProject();
  const { server } = await serveProject(project, { env: {} });
  const reader = await readStream(server, '?sprint=demo');
  await expect.poll(() => reader.last('sprint')?.tasks[0]?.title).toBe('Task a');
  const { unwritten } = asked;
  await looks();
  expect(asked.unwritten - unwritten).toBeLessThan(3);
});

it('tells what others append to the log, from other processes', async () => {
  const { server, root } = await served();
  const reader = await readStream(server);
  await expect.poll(() => reader.last('state')).toBeDefined();
  const other = await openTestProject(root);
  await question(other, 'From elsewhere?');
  await expect
    .poll(() => reader.last('state')?.questions.map(({ title }) => title))
    .toEqual(['From elsewhere?']);
});

it('goes on from the last event that was seen, also when the server was started again', async () => {
  const { server, project, env } = await served();
  const reader = await readStream(server, '?sprint=demo');
  await note(project, 'one');
  await expect
    .poll(() => reader.all('events').map(({ text }) => text))
    .toEqual([expect.stringContaining('one')]);
  const lastId = reader.lastId();
  expect(lastId).toMatch(/^demo@\d+$/);
  await server.close();
  await expect.poll(reader.isOver).toBe(true);
  expect(reader.last('end')).toEqual({ why: 'closing' });
  for (const text of ['two', 'three']) await note(project, text);

  const again = await serveProject(project, { env });
  const back = await readStream(again.server, '?sprint=demo', { lastId });
  await note(project, 'four');
  await expect
    .poll(() => back.all('events').map(({ text }) => text.split(' ').at(-1)))
    .toEqual(['two', 'three', 'four']);
  const versions = back.all('events').map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, at) => (versions[0] ?? 0) + at));
  expect(back.messages.filter(({ name }) => name === 'gap')).toEqual([]);
});

it('tells each event once to a reader that comes back while others happen', async () => {
  const { server, project } = await served();
  const before = Array.from({ length: 4_000 }, (_, n) => ({
    type: 'task.noted' as const,
    subject: 'demo/a',
    data: { by: 'agent', text: `before ${n}` },
  }));
  await project.record('demo', before);
  const from = (project.state.streams.get('demo')?.version ?? 0) - 40;
  const opening = readStream(server, '?sprint=demo', { lastId: `demo@${from}` });
  // Its past is read from the log meanwhile.
  const meanwhile = Promise.all(Array.from({ length: 200 }, (_, n) => note(project, `meanwhile ${n}`)));
  const reader = await opening;
  await meanwhile;
  const last = project.state.streams.get('demo')?.version ?? 0;
  await expect.poll(() => reader.all('events').at(-1)?.version).toBe(last);
  const versions = reader.all('events').map(({ version }) => version);
  expect(versions).toEqual(Array.from({ length: last - from }, (_, at) => from + 1 + at));
});

it('says where events are missing', async () => {
  const { server, project } = await served();
  for (const lastId of ['demo@99999', 'other@1', 'nonsense', '']) {
    const reader = await readStream(server, '', { lastId });
    await note(project, 'x');
    await expect.poll(() => reader.last('gap')).toEqual({});
  }
  // More than is read of a sprint for whoever comes back.
  const many = Array.from({ length: 5_100 }, () => ({
    type: 'task.noted' as const,
    subject: 'demo/a',
    data: { by: 'agent', text: 'x' },
  }));
  await project.record('demo', many);
  const reader = await readStream(server, '?sprint=demo', { lastId: 'demo@1' });
  await expect.poll(() => reader.last('gap')).toEqual({ sprint: 'demo' });
  expect(reader.all('events')).toEqual([]);
});

it('keeps to ten messages of a name in a second, however much happens', async () => {
  const { server, project } = await served();
  const reader = await readStream(server, '?sprint=demo');
  await expect.poll(() => reader.last('state')).toBeDefined();
  const begun = performance.now();
  for (let n = 0; n < 300; n += 1) await note(project, `n${n}`);
  await expect.poll(() => reader.all('events').length).toBe(300);
  const most = Math.ceil((performance.now() - begun) / 100) + 2;
  const patches = Map.groupBy(
    reader.messages.filter(({ name }) => name === 'patch'),
    ({ data }) => (data as { of: string }).of,
  );
  expect(patches.size).toBe(2);
  for (const all of [reader.messages.filter(({ name }) => name === 'events'), ...patches.values()])
    expect(all.length).toBeLessThanOrEqual(most);
});

it('sends nothing where nothing has changed', async () => {
  const { server, project } = await served();
  const reader = await readStream(server, '?sprint=none');
  await expect.poll(() => reader.last('state')).toBeDefined();
  const before = reader.messages.length;
  const other = await readStream(server, '?sprint=demo');
  await note(project, 'x');
  await expect.poll(() => other.all('events').length).toBe(1);
  expect(reader.messages.slice(before)).toMatchObject([{ name: 'patch', data: { of: 'state' } }]);
});

it('tells what an agent writes, behind what it has written', async () => {
  const { server, project, root } = await served();
  const transcript = await agentAtWork({ root, project });
  const reader = await readStream(server, '?sprint=demo&task=a');
  await expect
    .poll(() => reader.last('written')?.runs.map(({ agent: name, text }) => [name, text]))
    .toEqual([['agent', 'one\n']]);
  await appendFile(transcript, castLine([0.1, 'o', 'two\r\n']));
  await expect
    .poll(() => reader.all('output').map(({ runId, text }) => [runId, text]))
    .toEqual([['run-1', 'two\n']]);
});

it('tells of what its agents wrote as much as is given out, the newest of it', async () => {
  const { server, project, root } = await served();
  const transcript = await agentAtWork({ root, project });
  await appendFile(transcript, castLine([0.1, 'o', `see ${'x'.repeat(200_000)}\r\n`]));
  const second = '.clifford/transcripts/run-2.cast';
  const header = castLine({ version: 3, term: { cols: 80, rows: 24 } });
  await writeFile(join(root, second), header + castLine([0, 'o', `${'y'.repeat(200_000)}\r\n`]));
  await project.record('demo', [
    on('demo/a', 'agent.exited', { runId: 'run-1' }),
    on('demo/a', 'task.started', { attempt: 2, by: 'runner', runId: 'run-2' }),
    on('demo/a', 'agent.started', { runId: 'run-2', transcript: second }),
  ]);
  const reader = await readStream(server, '?sprint=demo&task=a');
  await expect
    .poll(() => reader.last('written')?.runs.map(({ text, isCut }) => [text.slice(0, 3), text.length, isCut]))
    .toEqual([
      ['…xx', 262_144 - 200_001, true],
      ['yyy', 200_001, false],
    ]);
});

it('says of what one agent alone wrote, too, that its beginning is left out', async () => {
  const { server, project, root } = await served();
  const transcript = await agentAtWork({ root, project });
  await appendFile(transcript, castLine([0.1, 'o', 'x'.repeat(262_144)]));
  const reader = await readStream(server, '?sprint=demo&task=a');
  await expect.poll(() => reader.last('written')?.runs.map(({ isCut }) => isCut)).toEqual([true]);
});

it('closes a reader that takes nothing, and goes on telling the others', async () => {
  const { server, project, root } = await served({ patienceMs: 300 });
  const transcript = await agentAtWork({ root, project });
  const stuck = connect(server.port, '127.0.0.1');
  stuck.on('error', () => undefined);
  stuck.pause();
  stuck.write(
    `GET /api/events?sprint=demo&task=a HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
  );
  const reader = await readStream(server, '?sprint=demo');
  await expect.poll(() => server.streams()).toBe(2);
  // More than the system keeps for it.
  const much = castLine([0.1, 'o', 'x'.repeat(500_000)]);
  await expect
    .poll(async () => {
      await appendFile(transcript, much);
      return server.streams();
    })
    .toBe(1);
  expect(reader.isOver()).toBe(false);
  stuck.destroy();
});

it('frees everything when readers go, and ends at once when it is closed', async () => {
  const { server } = await served();
  const readers = await Promise.all(Array.from({ length: 50 }, () => readStream(server)));
  await expect.poll(() => server.streams()).toBe(50);
  for (const reader of readers.slice(0, 40)) reader.close();
  await expect.poll(() => server.streams()).toBe(10);
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(5_000);
  await expect.poll(() => readers.slice(40).every(({ isOver }) => isOver())).toBe(true);
});

it('holds nothing of 200 readers that are gone', async () => {
  const { server, project, root } = await served();
  await agentAtWork({ root, project });
  const responses: WeakRef<object>[] = [];
  onServedRequest(({ response }) => responses.push(new WeakRef(response)));
  const held = () => {
    collectGarbage();
    return responses.filter((response) => response.deref() !== undefined).length;
  };
  const places = ['', '?sprint=demo', '?sprint=demo&task=a'];
  const opening = Array.from({ length: 200 }, (_, n) => readStream(server, places[n % places.length]));
  const readers = await Promise.all(opening);
  await expect.poll(() => readers.every((reader) => reader.last('state'))).toBe(true);
  await note(project, 'x');
  await expect.poll(() => readers.every((reader) => reader.all('events').length > 0)).toBe(true);
  expect(held()).toBe(200);
  for (const reader of readers) reader.close();
  await expect.poll(() => server.streams()).toBe(0);
  await expect.poll(held).toBe(0);
});

it('ends with a log that was written over in its place, and says so to whoever asks for nothing', async () => {
  const { server, project, root } = await served();
  await question(project, 'Which port?');
  const reader = await readStream(server, '?sprint=demo');
  await expect.poll(() => reader.last('state')).toBeDefined();
  const file = join(root, '.clifford', 'events.jsonl');
  // At once: whoever follows the file sees it at its length again.
  writeFileSync(file, (await readFile(file, 'utf8')).replace('Which port?', 'Which p0rt?'));
  await expect(server.failed).rejects.toMatchObject({ code: 'LOG_REPLACED' });
});
