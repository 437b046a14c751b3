import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryHold } from '../../src/lib/files/kernel-lock.ts';
import { cancelTask, skipTask } from '../../src/workflow/sprint/control.ts';
import { filesBehindLog } from '../../src/workflow/projections/behind-log.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };
const me = { stream: 'demo', by: 'me' };
const question = { stream: 'demo', agent, kind: 'help', task: 'a', question: 'Which port?' } as const;

const manifestOf = async (dir: string): Promise<unknown> =>
  JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'));
const statuses = async (dir: string) => {
  const { status, tasks } = (await manifestOf(dir)) as { status: string; tasks: { status: string }[] };
  return [status, ...tasks.map((task) => task.status)];
};

describe('the statuses in manifest.json', () => {
  it('leave nothing behind of a writer that was killed', async () => {
    const { dir, project } = await projectWithSprint();
    const id = '01a20ab4-9f3f-77fb-bf5e-9c70d94eb131';
    for (const name of ['manifest.json', 'mine.json']) await writeFile(join(dir, `${name}.${id}.tmp`), '{');
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([`mine.json.${id}.tmp`]);
  });

  it('follow the log before the decision returns', async () => {
    const { dir, project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    expect(await statuses(dir)).toEqual(['active', 'active', 'pending']);
    const { id } = await ask(project, question);
    expect(await statuses(dir)).toEqual(['blocked', 'blocked', 'pending']);
    await answerRequest(project, id, { by: 'me', via: 'cli', response: '8080' });
    expect(await statuses(dir)).toEqual(['active', 'active', 'pending']);
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    expect(await statuses(dir)).toEqual(['active', 'completed', 'pending']);
  });

  it('are written to where a link leads, and the link stays', async () => {
    const { root, dir, project } = await projectWithSprint();
    const target = join(root, 'plans/demo.json');
    await mkdir(join(root, 'plans'));
    await rename(join(dir, 'manifest.json'), target);
    await symlink('../../plans/demo.json', join(dir, 'manifest.json'));
    await skipTask(project, { ...me, taskId: 'a' });
    expect((await lstat(join(dir, 'manifest.json'))).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toContain('"blocked"');
  });

  it('are not written where a link leads out of the project', async () => {
    const { dir, project } = await projectWithSprint();
    const target = join(await tempRoot(), 'demo.json');
    await rename(join(dir, 'manifest.json'), target);
    await symlink(target, join(dir, 'manifest.json'));
    await skipTask(project, { ...me, taskId: 'a' });
    expect((await lstat(join(dir, 'manifest.json'))).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).not.toContain('blocked');
  });

  it('are not written into what configures Clifford', async () => {
    const { root, dir, project } = await projectWithSprint();
    await rename(join(dir, 'manifest.json'), join(root, 'mcp.json'));
    await symlink('../../mcp.json', join(dir, 'manifest.json'));
    await skipTask(project, { ...me, taskId: 'a' });
    expect(await readFile(join(root, 'mcp.json'), 'utf8')).not.toContain('blocked');
  });

  it('read blocked for what was skipped or cancelled', async () => {
    const { dir, project } = await projectWithSprint();
    await skipTask(project, { ...me, taskId: 'a' });
    await cancelTask(project, { ...me, taskId: 'b' });
    expect(await statuses(dir)).toEqual(['pending', 'blocked', 'blocked']);
  });

  it('leave everything else in the file as it was', async () => {
    const manifest = {
      zebra: { keep: [1, 2] },
      status: 'pending',
      id: 'demo',
      tasks: [
        { estimate: 3, id: 7, file: 'a.md', status: 'pushed' },
        { id: 'b', file: 'b.md', status: 'pending', note: 'ü' },
      ],
    };
    const { dir, project } = await projectWithSprint({ manifest });
    await setTaskStatus(project, { stream: 'demo', taskId: 'b', status: 'active', agent });
    const after = structuredClone(manifest);
    after.status = 'active';
    for (const task of after.tasks.slice(1)) task.status = 'active';
    expect(await manifestOf(dir)).toEqual({ ...after, name: 'Sprint demo' });
    const text = await readFile(join(dir, 'manifest.json'), 'utf8');
    expect(text.indexOf('"estimate"')).toBeLessThan(text.indexOf('"file"'));
    expect(text).toContain('\n  "zebra"');
  });

  it('overwrite what was edited by hand', async () => {
    const { dir, project } = await projectWithSprint();
    const path = join(dir, 'manifest.json');
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"pending"', '"completed"'));
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    expect(await statuses(dir)).toEqual(['active', 'active', 'pending']);
  });

  it('cost no decision when the file is gone or broken', async () => {
    const { dir, project } = await projectWithSprint();
    await writeFile(join(dir, 'manifest.json'), '{ "tasks": ');
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await rm(join(dir, 'manifest.json'));
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    expect(await readdir(dir)).toEqual(['a.md', 'b.md']);
  });

  it('keep the mode of the file, also what the umask would take away, and its indentation', async () => {
    const { dir, project } = await projectWithSprint();
    const path = join(dir, 'manifest.json');
    await writeFile(path, JSON.stringify(await manifestOf(dir), null, '\t'));
    await chmod(path, 0o666);
    await skipTask(project, { ...me, taskId: 'a' });
    expect((await stat(path)).mode & 0o777).toBe(0o666);
    expect(await readFile(path, 'utf8')).toContain('\n\t"tasks": [\n\t\t{');
  });

  it('that say it already are not written', async () => {
    const { dir, project } = await projectWithSprint();
    const path = join(dir, 'manifest.json');
    const { ino } = await stat(path);
    const { id } = await ask(project, { ...question, task: 'nobody' });
    await answerRequest(project, id, { by: 'me', via: 'cli', response: '8080' });
    expect((await stat(path)).ino).toBe(ino);
  });

  it('that cannot be written fail no decision: they are named, and written as soon as they can be', async () => {
    const { dir, project } = await projectWithSprint();
    const path = join(dir, 'manifest.json');
    await rename(path, join(dir, 'kept'));
    await mkdir(path);
    await skipTask(project, { ...me, taskId: 'a' });
    expect(project.state.streams.get('demo')?.tally.ended).toBe(1);
    expect(project.unwritten()).toMatchObject([
      {
        code: 'PROJECTION_UNWRITABLE',
        message: expect.stringContaining(`Cannot write ${path}: it is a folder`),
        fix: expect.stringMatching(/^Do not decide it again/),
      },
    ]);
    await rm(path, { recursive: true });
    await rename(join(dir, 'kept'), path);
    await expect.poll(() => statuses(dir)).toEqual(['pending', 'blocked', 'pending']);
    expect(project.unwritten()).toEqual([]);
  });

  it('whose lock somebody sits on fail no decision, and are written when it is free', async () => {
    const { root, dir, project } = await projectWithSprint();
    const lock = tryHold(join(root, '.clifford', 'locks', 'projections.lock'));
    await skipTask(project, { ...me, taskId: 'a' });
    expect(project.unwritten()).toMatchObject([
      { message: expect.stringMatching(/^Cannot take the lock .*; what was decided is in the log$/) },
    ]);
    lock?.release();
    await expect.poll(() => statuses(dir)).toEqual(['pending', 'blocked', 'pending']);
    expect(project.unwritten()).toEqual([]);
  });

  it('that nobody could write are written by the next process that asks for it', async () => {
    const { root, dir, project } = await projectWithSprint();
    const path = join(dir, 'manifest.json');
    await rename(path, join(dir, 'kept'));
    await mkdir(path);
    await skipTask(project, { ...me, taskId: 'a' });
    await project.close();
    await rm(path, { recursive: true });
    await rename(join(dir, 'kept'), path);
    const next = await openTestProject(root);
    expect(await filesBehindLog(next, ['demo'])).toEqual([path]);
    await next.writeProjections('demo');
    expect(await filesBehindLog(next, ['demo'])).toEqual([]);
    expect(await statuses(dir)).toEqual(['pending', 'blocked', 'pending']);
  });

  it('are the newest after two processes wrote them at once', async () => {
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { root, dir, project } = await projectWithSprint({ tasks });
    const second = await openTestProject(root);
    await Promise.all(
      tasks.map((taskId, index) => skipTask(index % 2 ? project : second, { ...me, taskId })),
    );
    expect((await statuses(dir)).slice(1)).toEqual(tasks.map(() => 'blocked'));
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('memory.json', () => {
  const memory = async (root: string): Promise<unknown> =>
    JSON.parse(await readFile(join(root, '.clifford', 'memory.json'), 'utf8'));

  it('holds the last question and answer of each task', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await ask(project, question);
    expect(await memory(root)).toEqual({ demo: { a: { question: 'Which port?', answer: null } } });
    await answerRequest(project, id, { by: 'me', via: 'cli', response: '8080' });
    expect(await memory(root)).toEqual({ demo: { a: { question: 'Which port?', answer: '8080' } } });
  });

  it('holds what a blocked task waits for, and neither approvals nor prompts', async () => {
    const { root, project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const blocked = { stream: 'demo', taskId: 'a', status: 'blocked', summary: 'No key', agent } as const;
    await setTaskStatus(project, blocked);
    const remembered = { demo: { a: { question: 'No key', answer: null } } };
    expect(await memory(root)).toEqual(remembered);
    for (const kind of ['approval', 'prompt'] as const) await ask(project, { ...question, kind, task: 'b' });
    expect(await memory(root)).toEqual(remembered);
  });

  it('is written with what comes while others of the project wait for the lock', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b', 'c'] });
    const lock = tryHold(join(root, '.clifford', 'locks', 'projections.lock'));
    const ended = (count: number) =>
      project.until((state) => (state.streams.get('demo')?.tally.ended === count ? true : undefined));
    const writing = [skipTask(project, { ...me, taskId: 'a' })];
    await ended(1);
    writing.push(skipTask(project, { ...me, taskId: 'b' }));
    await ended(2);
    const asking = ask(project, { ...question, task: 'c' });
    await project.until((state) => state.streams.get('demo')?.requests.size || undefined);
    // One turn later the last of them waits, too.
    await new Promise(setImmediate);
    lock?.release();
    await Promise.all([...writing, asking]);
    expect(await memory(root)).toMatchObject({ demo: { c: { answer: null } } });
  });

  it('says of a question that was turned down that it was', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await ask(project, question);
    const why = { by: 'me', via: 'cli', response: 'Read the README', rejected: true } as const;
    await answerRequest(project, id, why);
    const entry = { question: 'Which port?', answer: 'Read the README', rejected: true };
    expect(await memory(root)).toEqual({ demo: { a: entry } });
    // What the log knows nothing of stays: the file is still one of ours.
    const gone = { x: { question: 'Why?', answer: 'So' } };
    await writeFile(join(root, '.clifford', 'memory.json'), JSON.stringify({ gone, demo: { a: entry } }));
    await ask(project, { ...question, task: 'b' });
    expect(await memory(root)).toMatchObject({ gone, demo: { a: entry, b: { answer: null } } });
  });

  it('takes ids that mean something to JavaScript like any other', async () => {
    const ids = ['__proto__', 'constructor'];
    const { root, dir, project, stream } = await projectWithSprint({ id: '__proto__', tasks: ids });
    for (const task of ids) await ask(project, { ...question, stream, task });
    await ask(project, { ...question, stream: 'adhoc' });
    const text = await readFile(join(root, '.clifford', 'memory.json'), 'utf8');
    const entry = '{"question":"Which port?","answer":null}';
    expect(JSON.stringify(JSON.parse(text))).toBe(
      `{"__proto__":{"__proto__":${entry},"constructor":${entry}},"adhoc":{"a":${entry}}}`,
    );
    expect((await statuses(dir)).slice(1)).toEqual(['blocked', 'blocked']);
  });

  it('that cannot be written costs no question', async () => {
    const { root, project } = await projectWithSprint();
    await mkdir(join(root, '.clifford', 'memory.json'));
    const { id } = await ask(project, question);
    expect(project.state.streams.get('demo')?.requests.get(id)?.phase).toBe('open');
    expect(project.unwritten()).toMatchObject([{ message: expect.stringContaining('memory.json') }]);
  });

  it('is made again when it was deleted or damaged', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await ask(project, question);
    await answerRequest(project, id, { by: 'me', via: 'cli', response: '8080' });
    for (const damage of [
      () => rm(join(root, '.clifford', 'memory.json')),
      () => writeFile(join(root, '.clifford', 'memory.json'), '{'),
    ]) {
      await damage();
      await ask(project, { ...question, task: 'b', question: `Again ${String(damage)}?` });
      expect(await memory(root)).toMatchObject({ demo: { a: { answer: '8080' }, b: { answer: null } } });
    }
  });
});
