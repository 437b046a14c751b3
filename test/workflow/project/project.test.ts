import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { nameOf, wordOf } from '../../../src/machines/status-words.ts';
import {
  cancelSprint,
  cancelTask,
  pauseSprint,
  resumeSprint,
  retryTasks,
  skipTask,
} from '../../../src/workflow/sprint/control.ts';
import { completeSprint } from '../../../src/workflow/sprint/complete-sprint.ts';
import { enterSprint } from '../../../src/workflow/sprint/enter-sprint.ts';
import { loadManifest } from '../../../src/workflow/sprint/manifest.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { findRequest, openRequests, requestById } from '../../../src/workflow/requests/find-request.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { on } from '../../helpers/history.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };
const me = { stream: 'demo', by: 'me' };
const question = { stream: 'demo', agent, kind: 'help', task: 'a', question: 'Which?' } as const;

const sprintName = (project: Project) =>
  nameOf(project.state.streams.get('demo')?.machine.value ?? 'missing');
const taskName = (project: Project, id: string) =>
  nameOf(project.state.streams.get('demo')?.tasks.get(id)?.machine.value ?? 'missing');
const versions = async (project: Project) => {
  const types: string[] = [];
  for await (const { events } of project.log.read()) types.push(...events.map(({ type }) => type));
  return types;
};

describe('a decision', () => {
  it('is refused in words that name the state and what would be possible', async () => {
    const { project } = await projectWithSprint();
    await expect(pauseSprint(project, me)).rejects.toMatchObject({
      code: 'ILLEGAL',
      message: 'Cannot pause sprint demo: it is pending',
      fix: 'Possible now: clifford run demo, clifford cancel --sprint demo',
    });
    expect(await versions(project)).toEqual(['sprint.created']);
  });

  it('is decided again when another process was faster', async () => {
    const { root, project } = await projectWithSprint();
    const second = await openTestProject(root);
    const outcomes = await Promise.allSettled([
      setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent }),
      setTaskStatus(second, { stream: 'demo', taskId: 'a', status: 'active', agent }),
      setTaskStatus(second, { stream: 'demo', taskId: 'b', status: 'active', agent }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect((await versions(project)).filter((type) => type !== 'sprint.created').sort()).toEqual([
      'sprint.started',
      'task.started',
      'task.started',
    ]);
  });

  it('does not get into the way of others of its process: each is decided once, and all are shown', async () => {
    const { root, project } = await projectWithSprint();
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    let decided = 0;
    await Promise.all(
      numbers.map((index) =>
        project.dispatch('demo', () => {
          decided += 1;
          const origin = { agent: 'x' };
          const asked = { requestId: `q-${index}`, kind: 'help', question: `${index}?`, origin } as const;
          return [{ type: 'help.requested', subject: 'demo', data: { ...asked, task: `t-${index}` } }];
        }),
      ),
    );
    expect(decided).toBe(numbers.length);
    const memory: unknown = JSON.parse(await readFile(join(root, '.clifford/memory.json'), 'utf8'));
    const shown = numbers.map((index) => [`t-${index}`, { question: `${index}?`, answer: null }]);
    expect(memory).toEqual({ demo: Object.fromEntries(shown) });
  });

  it('that is refused does not hold up the next one', async () => {
    const { project } = await projectWithSprint();
    const refused = pauseSprint(project, me);
    const next = setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await expect(refused).rejects.toMatchObject({ code: 'ILLEGAL' });
    expect((await next).id).toBe('a');
  });

  it('refuses a batch as a whole when its second part is illegal', async () => {
    const { project, stream } = await projectWithSprint();
    await expect(
      project.dispatch(stream, () => [
        { type: 'sprint.started', subject: stream, data: { runner: 'x', maxAttempts: 1 } },
        { type: 'sprint.completed', subject: stream, data: { by: 'x' } },
      ]),
    ).rejects.toMatchObject({ code: 'ILLEGAL' });
    expect(await versions(project)).toEqual(['sprint.created']);
  });
});

describe('what an agent says of a task', () => {
  const set = (project: Project, status: 'active' | 'completed' | 'blocked', taskId = 'a') =>
    setTaskStatus(project, { stream: 'demo', taskId, status, agent });

  it('starts a pending sprint, and is a success without an event when it is so already', async () => {
    const { project } = await projectWithSprint();
    await set(project, 'active');
    await set(project, 'active');
    await set(project, 'completed');
    await set(project, 'completed');
    expect(await versions(project)).toEqual([
      'sprint.created',
      'sprint.started',
      'task.started',
      'task.completed',
    ]);
  });

  it('opens a request when it is blocked', async () => {
    const { project } = await projectWithSprint();
    await set(project, 'active');
    await set(project, 'blocked');
    expect(sprintName(project)).toBe('blocked');
    expect(project.state.streams.get('demo')?.requests.size).toBe(1);
  });

  it('is refused where the machine refuses it', async () => {
    const { project } = await projectWithSprint();
    await expect(set(project, 'completed')).rejects.toMatchObject({
      message: 'Cannot complete task a: it is pending',
    });
    await expect(set(project, 'active', 'z')).rejects.toMatchObject({ code: 'TASK_UNKNOWN' });
  });
});

describe('completing a sprint', () => {
  it('names the tasks that are unfinished', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await expect(completeSprint(project, me)).rejects.toMatchObject({
      code: 'SPRINT_UNFINISHED',
      message: 'Cannot complete sprint demo: unfinished tasks are a (active), b (pending)',
    });
  });

  it('succeeds once, and again without an event', async () => {
    const { project } = await projectWithSprint({ tasks: ['a'] });
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    await completeSprint(project, me);
    await completeSprint(project, me);
    expect((await versions(project)).filter((type) => type === 'sprint.completed')).toHaveLength(1);
  });
});

describe('a human', () => {
  it('pauses, resumes, skips, and cancels', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await pauseSprint(project, me);
    expect(sprintName(project)).toBe('active.paused');
    await resumeSprint(project, me);
    await skipTask(project, { ...me, taskId: 'b' });
    await cancelSprint(project, { ...me, reason: 'enough' });
    expect(sprintName(project)).toBe('done.cancelled');
  });

  it('names a task that is not there as bad input', async () => {
    const { project } = await projectWithSprint();
    const zz = { ...me, taskId: 'zz' };
    for (const decide of [skipTask, cancelTask, retryTasks]) {
      await expect(decide(project, zz)).rejects.toMatchObject({
        code: 'TASK_UNKNOWN',
        recovery: 'fix-input',
      });
    }
  });

  it('retries only what has ended', async () => {
    const { project } = await projectWithSprint();
    await expect(retryTasks(project, me)).rejects.toMatchObject({ code: 'NOTHING_FAILED' });
    await skipTask(project, { ...me, taskId: 'b' });
    expect(await retryTasks(project, { ...me, taskId: 'b' })).toEqual(['b']);
    expect(wordOf(project.state.streams.get('demo')?.tasks.get('b')?.machine.value ?? '')).toBe('pending');
  });
});

describe('waiting', () => {
  it('ends with the reason of its signal', async () => {
    const { project } = await projectWithSprint();
    const stop = new AbortController();
    const waiting = project.until(() => undefined, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('ends when the log is damaged, and works again when it was mended', async () => {
    const { root, project } = await projectWithSprint();
    const log = join(root, '.clifford', 'events.jsonl');
    const sound = await readFile(log);
    const skipped = () =>
      project.until((state) => (state.streams.get('demo')?.tally.ended === 1 ? true : undefined));
    const waiting = skipped();
    waiting.catch(() => undefined);
    await project.refresh();
    await writeFile(log, 'damaged\n', { flag: 'a' });
    await expect(waiting).rejects.toMatchObject({ code: 'LOG_CORRUPT', line: 2 });

    await writeFile(log, sound);
    const again = skipped();
    await skipTask(await openTestProject(root), { ...me, taskId: 'b' });
    expect(await again).toBe(true);
  });

  it('goes on when the log was damaged and mended, while others wait and listen', async () => {
    const { root, project } = await projectWithSprint();
    const log = join(root, '.clifford', 'events.jsonl');
    const sound = await readFile(log);
    const told: string[] = [];
    const unsubscribe = project.subscribe((events) => told.push(events.map(({ type }) => type).join()));
    const ended = () =>
      project.until((state) => (state.streams.get('demo')?.tally.ended === 1 ? true : undefined));
    await writeFile(log, 'damaged\n', { flag: 'a' });
    await expect(ended()).rejects.toMatchObject({ code: 'LOG_CORRUPT', line: 2 });
    await vi.waitFor(() => expect(told).toEqual(['']), { timeout: 10_000 });
    const first = project.trouble;
    expect(first).toMatchObject({ error: { code: 'LOG_CORRUPT' }, since: expect.any(Number) });
    // It is tried again, and what was read before is as old as it was.
    await writeFile(log, 'damaged\n', { flag: 'a' });
    await vi.waitFor(() => expect(project.trouble?.error).not.toBe(first?.error), { timeout: 10_000 });
    expect(project.trouble?.since).toBe(first?.since);
    expect(told).toEqual(['']);

    await writeFile(log, sound);
    const again = ended();
    await skipTask(await openTestProject(root), { ...me, taskId: 'b' });
    expect(await again).toBe(true);
    expect(project.trouble).toBeUndefined();
    // That it can be read again is told by itself.
    expect(told).toEqual(['', '', 'task.skipped']);
    unsubscribe();
  });

  it('listens again by itself when a damaged log was mended', async () => {
    const { root, project } = await projectWithSprint();
    const log = join(root, '.clifford', 'events.jsonl');
    const sound = await readFile(log);
    const told: string[] = [];
    const unsubscribe = project.subscribe((events) => told.push(...events.map(({ type }) => type), '.'));
    await writeFile(log, 'damaged\n', { flag: 'a' });
    await vi.waitFor(() => expect(told).toEqual(['.']), { timeout: 10_000 });
    await writeFile(log, sound);
    await skipTask(await openTestProject(root), { ...me, taskId: 'b' });
    await vi.waitFor(() => expect(told).toContain('task.skipped'), { timeout: 10_000 });
    unsubscribe();
  });

  it('ends when the project is closed, and does not begin afterwards', async () => {
    const { project } = await projectWithSprint();
    const waiting = project.until(() => undefined);
    waiting.catch(() => undefined);
    await project.refresh();
    await project.close();
    await expect(waiting).rejects.toMatchObject({ code: 'PROJECT_CLOSED' });
    await expect(project.until(() => undefined)).rejects.toMatchObject({ code: 'PROJECT_CLOSED' });
  });

  it.each<[string, (log: string) => Promise<void>]>([
    ['cut', async (log) => truncate(log, (await readFile(log, 'utf8')).indexOf('\n') + 1)],
    ['emptied', (log) => truncate(log)],
    ['removed', (log) => rm(log)],
    ['removed with all that is Clifford’s', (log) => rm(dirname(log), { recursive: true })],
    [
      'replaced by that of another project',
      async (log) => {
        const { root, project } = await projectWithSprint();
        for (let n = 0; n < 9; n += 1) await ask(project, { ...question, question: `${n}?` });
        await rename(join(root, '.clifford', 'events.jsonl'), log);
      },
    ],
  ])('ends when the log was %s, and nothing is written to what is there now', async (_, change) => {
    const { root, project } = await projectWithSprint();
    const { id } = await ask(project, question);
    const log = join(root, '.clifford', 'events.jsonl');
    const waiting = project.until((state) => requestById(state, id)?.answer);
    waiting.catch(() => undefined);
    await project.refresh();
    await change(log);
    const now = await readFile(log).catch(() => undefined);
    const fact = on('demo', 'help.attached', { requestId: id, agent: 'x' });
    await expect(project.record('demo', [fact])).rejects.toMatchObject({ code: 'LOG_REPLACED' });

    await expect(waiting).rejects.toMatchObject({
      code: 'LOG_REPLACED',
      message: expect.stringMatching(
        /^Cannot continue reading \/.*events\.jsonl after byte \d+: .+; the log is another one than was read before$/,
      ),
    });
    await expect(project.refresh()).rejects.toMatchObject({ code: 'LOG_REPLACED' });
    await expect(skipTask(project, { ...me, taskId: 'b' })).rejects.toMatchObject({ code: 'LOG_REPLACED' });
    expect(await readFile(log).catch(() => undefined)).toEqual(now);
  });

  it('survives that the log is cut and restored at once, as by copying a file over it', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await ask(project, question);
    const waiting = project.until((state) => requestById(state, id)?.answer);
    const log = join(root, '.clifford', 'events.jsonl');
    const whole = await readFile(log, 'utf8');
    await writeFile(log, whole.slice(0, whole.indexOf('\n') + 1));
    const cut = project.refresh();
    await writeFile(log, whole);
    await cut;

    const second = await openTestProject(root);
    await answerRequest(second, id, { by: 'me', via: 'cli', response: 'That one' });
    expect(await waiting).toMatchObject({ response: 'That one' });
  });

  it('brings every event once, own and foreign', async () => {
    const { root, project } = await projectWithSprint();
    const second = await openTestProject(root);
    const seen: string[] = [];
    const unsubscribe = project.subscribe((events) => seen.push(...events.map(({ type }) => type)));
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await setTaskStatus(second, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    await project.until((state) => (state.streams.get('demo')?.version === 4 ? true : undefined));
    unsubscribe();
    expect(seen).toEqual(['sprint.started', 'task.started', 'task.completed']);
  });
});

describe('the snapshot', () => {
  /** Enough events for a snapshot. Returns the cache file. */
  async function longLog(root: string, project: Project, stream = 'demo'): Promise<string> {
    await project.record(
      stream,
      Array.from({ length: 600 }, (_, n) => ({
        type: 'tool.requested',
        subject: stream,
        data: { callId: `c-${n}`, server: 's', tool: 't', args: {}, argsDigest: 'd' },
      })),
    );
    return join(root, '.clifford', 'cache', 'state.json');
  }

  it('is used, and its loss or damage costs nothing but time', async () => {
    const { root, project } = await projectWithSprint();
    await ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: 'Which?' });
    const cache = await longLog(root, project);
    expect((await stat(cache)).mode & 0o777).toBe(0o600);
    const whole = await readFile(cache, 'utf8');

    for (const damage of [
      whole,
      '',
      '{',
      whole.replace('"toolCalls":', '"toolCall":'),
      whole.replace('"signature":"', '"signature":"x'),
    ]) {
      await writeFile(cache, damage);
      const again = await openTestProject(root);
      expect(again.state.streams.get('demo')).toMatchObject({
        toolCalls: 600,
        version: project.state.streams.get('demo')?.version,
      });
      expect(taskName(again, 'a')).toBe('blocked.question');
      await setTaskStatus(again, { stream: 'demo', taskId: 'b', status: 'active', agent });
      await again.close();
      await project.refresh();
    }
    await rm(cache);
    expect(taskName(await openTestProject(root), 'a')).toBe('blocked.question');
  });

  it.each<[string, (cache: string) => unknown]>([
    ['a named pipe', (cache) => execFileSync('mkfifo', [cache])],
    ['a folder', (cache) => mkdir(cache)],
    ['a link to a device', (cache) => symlink('/dev/zero', cache)],
  ])('is none where there is %s in its place', async (_, make) => {
    const { root } = await projectWithSprint();
    await mkdir(join(root, '.clifford', 'cache'), { recursive: true });
    await make(join(root, '.clifford', 'cache', 'state.json'));
    expect(taskName(await openTestProject(root), 'a')).toBe('pending');
  });

  it('of another version is not believed, although it is whole', async () => {
    const { root, project } = await projectWithSprint();
    const cache = await longLog(root, project);
    const whole = await readFile(cache, 'utf8');
    // As long as the name it has, so that the rest of the file stays where the header says.
    const invented = whole.slice(whole.indexOf('\n') + 1).replace('Sprint demo', 'Sprint gone');
    const nameFrom = async (text: string) => {
      await writeFile(cache, `${crc32(text)}\n${text}`);
      return (await openTestProject(root)).state.streams.get('demo')?.name;
    };
    expect(await nameFrom(invented)).toBe('Sprint gone');
    expect(await nameFrom(invented.replace('"signature":"', '"signature":"x'))).toBe('Sprint demo');
  });

  it('compresses a finished sprint until somebody asks for it', async () => {
    const { root, dir, project } = await projectWithSprint({ tasks: ['a'] });
    const { id } = await ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: 'Which?' });
    await answerRequest(project, id, { by: 'me', via: 'cli', response: 'That one' });
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    await completeSprint(project, me);
    await longLog(root, project, 'adhoc');

    const compressed = async () => {
      const again = await openTestProject(root);
      expect([...again.state.streams.compressed().keys()]).toEqual(['demo']);
      return again;
    };
    expect(openRequests((await compressed()).state)).toEqual([]);
    expect(requestById((await compressed()).state, id)?.answer?.response).toBe('That one');
    expect(findRequest((await compressed()).state, id.slice(0, 20)).id).toBe(id);
    expect(requestById((await compressed()).state, 'q-0')).toBeUndefined();
    expect((await compressed()).state.streams.get('demo')).toMatchObject({ name: 'Sprint demo' });

    await writeSprint(root, { tasks: ['a', 'b'] });
    const restored = await compressed();
    await enterSprint(restored, { dir, manifest: await loadManifest(join(dir, 'manifest.json')) });
    expect(sprintName(restored)).toBe('pending');
    expect(sprintName(await openTestProject(root))).toBe('pending');
  });

  it('keeps the usage limits of agents', async () => {
    const { root, project, stream } = await projectWithSprint();
    const run = { runId: 'run-1', attempt: 1, agent: 'main' };
    await project.record(stream, [
      on(`${stream}/a`, 'agent.started', run),
      on(`${stream}/a`, 'agent.limited', { runId: 'run-1', resetsAt: '2030-01-01T00:00:00.000Z' }),
    ]);
    await longLog(root, project, stream);
    const { limits } = (await openTestProject(root)).state;
    expect(limits).toMatchObject([{ agent: 'main', resetsAt: '2030-01-01T00:00:00.000Z' }]);
    expect(limits).toEqual(project.state.limits);
  });

  it('of another log is not believed', async () => {
    const { root, project } = await projectWithSprint();
    const cache = await longLog(root, project);
    const foreign = await readFile(cache);
    const { root: elsewhere, project: small } = await projectWithSprint();
    await longLog(elsewhere, small);
    await skipTask(small, { ...me, taskId: 'b' });
    await writeFile(join(elsewhere, '.clifford', 'cache', 'state.json'), foreign);
    const again = await openTestProject(elsewhere);
    expect(again.state.streams.get('demo')?.tasks.get('b')?.machine.value).toEqual({ done: 'skipped' });
    await skipTask(again, { ...me, taskId: 'a' });
  });
});

describe('a project', () => {
  it('whose log is damaged says so, and still shows what it has read', async () => {
    const { root, project } = await projectWithSprint();
    const { state } = project;
    await writeFile(join(root, '.clifford', 'events.jsonl'), 'damaged\n', { flag: 'a' });
    await expect(project.refresh()).rejects.toMatchObject({ code: 'LOG_CORRUPT', line: 2 });
    expect(project.state).toBe(state);
    expect(taskName(project, 'a')).toBe('pending');
  });

  it('without a log is empty and gets one with its first event', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    expect(project.state.streams.size).toBe(0);
    await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Now?' });
    expect((await stat(join(root, '.clifford', 'events.jsonl'))).mode & 0o777).toBe(0o600);
  });

  it('keeps secrets of the environment out of the log', async () => {
    const root = await tempRoot();
    const { openProject } = await import('../../../src/workflow/project/project.ts');
    const project = await openProject({
      root,
      source: '/clifford/mcp',
      env: { MY_API_KEY: 'correct-horse-battery' },
    });
    await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Is correct-horse-battery right?' });
    await project.close();
    expect(await readFile(join(root, '.clifford', 'events.jsonl'), 'utf8')).not.toContain('correct-horse');
  });
});
