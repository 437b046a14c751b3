import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CliffordProject } from '../../src/library/clifford-project.ts';
import { skipTask } from '../../src/workflow/sprint/control.ts';
import { openTestProject, projectWithSprint } from '../helpers/temp-project.ts';

/** A project of another program that follows what happens in a sprint of two tasks, and what it has got. */
async function follower() {
  const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
  await project.close();
  const opened = await CliffordProject.open({ projectRoot: root, env: {} });
  onTestFinished(() => opened.close());
  const enough = new AbortController();
  const got: string[] = [];
  const problems: string[] = [];
  const onProblem = ({ code }: { code: string }) => void problems.push(code);
  const ended = (async () => {
    for await (const { type } of opened.events({ sprint: 'demo', follow: enough.signal, onProblem }))
      got.push(type);
  })();
  ended.catch(() => undefined);
  const until = async (count: number) => {
    await expect.poll(() => got.length, { timeout: 20_000 }).toBe(count);
  };
  return { root, log: join(root, '.clifford', 'events.jsonl'), got, problems, until, ended, enough };
}

it('a project that was closed says so, whatever is asked of it', async () => {
  const { root } = await projectWithSprint({ tasks: ['a', 'b'] });
  const opened = await CliffordProject.open({ projectRoot: root, env: {} });
  await opened.close();
  await opened.close();
  const calls = [
    () => opened.sprints(),
    () => opened.questions(),
    () => opened.retry({ sprint: 'demo' }),
    () => Array.fromAsync(opened.events({ sprint: 'demo' })),
    () => opened.runner({ sprint: 'demo', agentCmd: `"${process.execPath}"` }).run(),
  ];
  for (const call of calls)
    await expect((async () => await call())()).rejects.toMatchObject({
      code: 'PROJECT_CLOSED',
      message: 'Cannot use the project: it was closed',
    });
});

it('events that are followed go on when a damaged log was mended, each once', async () => {
  const { root, log, got, problems, until, ended, enough } = await follower();
  await until(1);
  const whole = await readFile(log);
  await writeFile(log, 'damaged\n', { flag: 'a' });
  await expect.poll(() => problems, { timeout: 20_000 }).toEqual(['LOG_CORRUPT']);
  await writeFile(log, whole);
  const other = await openTestProject(root);
  for (const taskId of ['a', 'b']) await skipTask(other, { stream: 'demo', by: 'ann', taskId });
  await until(3);
  expect(got).toEqual(['sprint.created', 'task.skipped', 'task.skipped']);
  enough.abort();
  await ended;
  expect(problems).toEqual(['LOG_CORRUPT']);
});

it('events that are followed end with the reason when the log is another one', async () => {
  const { log, until, ended } = await follower();
  await until(1);
  await rm(log);
  await expect(ended).rejects.toMatchObject({ code: 'LOG_REPLACED' });
});
