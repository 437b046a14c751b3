import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nameOf } from '../../src/machines/status-words.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDetached } from '../../src/workflow/requests/deliver.ts';
import { colourOfState } from '../../src/cli/text/colours.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford, followClifford } from '../helpers/clifford-process.ts';
import type { Ended } from '../helpers/ended-process.ts';
import { projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';

async function startedSprint(): Promise<{
  root: string;
  project: Project;
  stateOf: (task?: string) => Promise<string>;
}> {
  const { root, project } = await projectWithSprint();
  await project.dispatch('demo', () => [
    { type: 'sprint.started', subject: 'demo', data: { runner: 'test', maxAttempts: 1 } },
    { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'test' } },
  ]);
  const stateOf = async (task?: string) => {
    const sprint = (await project.refresh()).streams.get('demo');
    const thing = task === undefined ? sprint : sprint?.tasks.get(task);
    return nameOf(thing?.machine.value ?? 'missing');
  };
  return { root, project, stateOf };
}

function expectDone({ code, err, out }: Ended, said: string, next = ''): void {
  expect({ code, err, out }).toEqual({ code: 0, err: next, out: `${said}\n` });
}

/** What is said where no runner is there that would do it by itself. */
const goOn = 'next: clifford run demo\n';

describe('decisions about a sprint', () => {
  it('pauses and resumes the only unfinished one', async () => {
    const { root, stateOf } = await startedSprint();
    expectDone(await clifford(['pause'], { cwd: root }), 'paused demo');
    expect(await stateOf()).toBe('active.paused');
    expectDone(await clifford(['resume', 'demo'], { cwd: root }), 'resumed demo', goOn);
    expect(await stateOf()).toBe('active.running');
  });

  it('says with 1 what a machine refuses, and what would be possible', async () => {
    const { root } = await startedSprint();
    const { code, err } = await clifford(['resume'], { cwd: root });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^clifford: Cannot resume sprint demo: it is active\n {2}Possible now: clifford run demo, clifford pause demo, /,
    );
  });

  it('skips, retries and cancels a task', async () => {
    const { root, stateOf } = await startedSprint();
    expectDone(await clifford(['skip', 'b', '--reason', 'later'], { cwd: root }), 'skipped b of demo');
    expect(await stateOf('b')).toBe('done.skipped');
    expectDone(await clifford(['retry', 'b'], { cwd: root }), 'pending again in demo: b', goOn);
    expect(await stateOf('b')).toBe('pending');
    expectDone(await clifford(['cancel', 'b', '--sprint', 'demo'], { cwd: root }), 'cancelled b of demo');
    expect(await stateOf('b')).toBe('done.cancelled');
  });

  it('retries everything that failed', async () => {
    const { root, project, stateOf } = await startedSprint();
    await project.dispatch('demo', () => [
      { type: 'task.failed', subject: 'demo/a', data: { reason: 'exit code 1' } },
    ]);
    expect((await clifford(['status'], { cwd: root })).out).toContain('✗ a  failed  exit code 1');
    expectDone(await clifford(['retry'], { cwd: root }), 'pending again in demo: a', goOn);
    expect(await stateOf('a')).toBe('pending');
    expect(await clifford(['retry'], { cwd: root })).toMatchObject({ code: 1 });
  });

  it('cancels no sprint that is not named, where nobody can be asked', async () => {
    const { root, stateOf } = await startedSprint();
    const { code, err } = await clifford(['cancel'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toBe(
      'clifford: Nothing is cancelled: all of sprint demo would have been\n' +
        '  Name the task, or the sprint: clifford cancel --sprint demo\n',
    );
    expect(await stateOf()).toMatch(/^active/);
  });

  it('cancels the whole sprint, once', async () => {
    const { root, stateOf } = await startedSprint();
    expectDone(
      await clifford(['cancel', '--sprint', 'demo', '--reason', 'enough'], { cwd: root }),
      'cancelled sprint demo',
    );
    expect([await stateOf(), await stateOf('a')]).toEqual(['done.cancelled', 'done.cancelled']);
    const again = await clifford(['cancel', '--sprint', 'demo'], { cwd: root });
    expect(again).toMatchObject({ code: 1 });
    expect(again.err).toContain('It is over: nothing can be decided about it any more');
  });

  it('says how a sprint is completed that they leave nothing to do in, and so does the status', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b', 'c'] });
    const decide = (...args: string[]) => clifford(args, { cwd: root });
    const completes = 'next: clifford run demo, which completes the sprint\n';
    expectDone(await decide('skip', 'a'), 'skipped a of demo');
    expect((await decide('status')).out).toMatch(/: pending, 0 of 3 tasks done, 1 skipped\n/);
    expectDone(await decide('cancel', 'b'), 'cancelled b of demo');
    expectDone(await decide('skip', 'c'), 'skipped c of demo', completes);
    expect((await decide('status')).out).toContain(', nothing is left to do: clifford run demo\n');
    expectDone(await decide('retry', 'c'), 'pending again in demo: c', goOn);
    expectDone(await decide('cancel', 'c'), 'cancelled c of demo', completes);
    expect(await decide('run', '--agent-cmd', agentHere('complete'))).toMatchObject({ code: 0 });
    expect(nameOf((await project.refresh()).streams.get('demo')?.machine.value ?? '')).toBe('done.completed');
  });

  it('says nothing of a run to who has one at work', async () => {
    const root = await tempRoot();
    await writeSprint(root);
    const run = followClifford(['run', '--agent-cmd', agentHere('hang-first')], { cwd: root });
    await run.printed(/ready/);
    expectDone(await clifford(['skip', 'b'], { cwd: root }), 'skipped b of demo');
    expectDone(await clifford(['retry', 'b'], { cwd: root }), 'pending again in demo: b');
    await clifford(['cancel', '--sprint', 'demo'], { cwd: root });
    await run.ended;
  });

  it('brings a sprint that no log knows into it first', async () => {
    const root = await tempRoot();
    await writeSprint(root);
    expectDone(await clifford(['skip', 'a'], { cwd: root }), 'skipped a of demo');
  });
});

describe('tasks that were skipped or cancelled', () => {
  it('are no success: the end of the run and the status name them, by whom and why', async () => {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a', 'b', 'c'] });
    const decide = (...args: string[]) => clifford([...args, '--sprint', 'demo'], { cwd: root });
    expect(await decide('skip', 'b', '--reason', 'not needed')).toMatchObject({ code: 0 });
    expect(await decide('cancel', 'c')).toMatchObject({ code: 0 });

    const { code, out } = await clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
    expect(code).toBe(0);
    expect(out).toMatch(
      /\nb: skipped by ada: not needed\nc: cancelled by ada\ndemo completed, 1 of 3 tasks done, 1 skipped, 1 cancelled\n$/,
    );
    expect((await clifford(['status', 'demo'], { cwd: root })).out.split('\n')).toEqual([
      'demo (Sprint demo): done, 1 of 3 tasks done, 1 skipped, 1 cancelled',
      '  ✔ a  done',
      '  – b  skipped  by ada: not needed',
      '  ✗ c  cancelled  by ada',
      '',
    ]);
  });

  it('have a colour of their own, and so has a cancelled sprint', () => {
    expect(['done.completed', 'done.skipped', 'done.cancelled', 'done.failed'].map(colourOfState)).toEqual([
      'green',
      'yellow',
      'yellow',
      'red',
    ]);
  });

  it('of a cancelled sprint have its reason', async () => {
    const { root } = await startedSprint();
    await clifford(['cancel', '--sprint', 'demo', '--reason', 'enough'], { cwd: root });
    const { out } = await clifford(['status', 'demo'], { cwd: root });
    expect(out).toMatch(/^demo \(Sprint demo\): cancelled.*\n {2}by ada: enough\n {2}✗ a {2}cancelled\n/);
  });
});

describe('clifford status', () => {
  it('shows tasks, what the open question is called, and where it is in full', async () => {
    const { root, project } = await startedSprint();
    const asked = {
      kind: 'help',
      task: 'a',
      question: 'Which **port**?\n\n```diff\n-80\n+8080\n```\n',
      reason: 'It is not said',
    } as const;
    const { id } = await ask(project, { stream: 'demo', agent: { id: 'agent-1' }, ...asked });
    const { code, out } = await clifford(['status'], { cwd: root });
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'demo (Sprint demo): blocked, 0 of 2 tasks done, no runner at work: clifford run demo',
      expect.stringMatching(/^ {2}■ a {2}blocked {2}waiting for an answer for \d+/),
      '  ○ b  pending',
      '  ? open question about a',
      '    Which port? …',
      `    ${id.slice(0, 15)}`,
      '',
      'what is asked in full, and how to answer it: clifford questions',
      '',
    ]);
  });

  it('names a question as short as the list of questions does', async () => {
    const { root, project } = await startedSprint();
    const agent = { id: 'agent-1' };
    const both = await Promise.all([
      ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: 'Which port?' }),
      ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Who?' }),
    ]);
    const named = async (command: string, before: RegExp) =>
      [...(await clifford([command], { cwd: root })).out.matchAll(before)].map(([, id = '']) => id);
    const short = await named('status', /\? open .*\n.*\n {4}(\S+)\n/g);
    const whole = await named('questions', /answer with: clifford answer (\S+)/g);
    expect(short.toSorted()).toEqual(whole.toSorted());
    expect(short.every((name) => both.filter(({ id }) => id.startsWith(name)).length === 1)).toBe(true);
    expect(short).toHaveLength(2);
  });

  it('tells programs the same', async () => {
    const { root } = await startedSprint();
    const { out } = await clifford(['status', 'demo', '--json'], { cwd: root });
    const { sprints } = z
      .object({ sprints: z.array(z.looseObject({ tasks: z.array(z.looseObject({})) })) })
      .parse(JSON.parse(out));
    expect(sprints).toEqual([
      expect.objectContaining({ id: 'demo', state: 'active', detail: 'running', inLog: true }),
    ]);
    expect(sprints[0]?.tasks[0]).toMatchObject({ id: 'a', state: 'active', detail: 'working', attempt: 1 });
  });

  it('knows sprints that were never run, and those that were done before', async () => {
    const root = await tempRoot();
    await writeSprint(root, { id: 'new' });
    await writeSprint(root, {
      id: 'old',
      manifest: { status: 'pushed', tasks: [{ id: 'x', file: 'x.md', status: 'pushed' }] },
    });
    const { out } = await clifford(['status'], { cwd: root });
    expect(out).toContain('new (Sprint new): pending, 0 of 2 tasks done\n');
    expect(out).toContain('old (Sprint old): done, 1 of 1 tasks done\n');
    expect(out).not.toContain('✔ x');
    expect((await clifford(['status', 'old'], { cwd: root })).out).toBe(
      'old (Sprint old): done, 1 of 1 tasks done\n  ✔ x  done\n',
    );
  });

  it('shows an open question outside any sprint', async () => {
    const { root, project } = await startedSprint();
    const { id } = await ask(project, {
      stream: 'adhoc',
      agent: { id: 'x' },
      kind: 'help',
      question: 'Who?',
    });
    const { out } = await clifford(['status'], { cwd: root });
    expect(out).toContain(
      `adhoc: questions outside of any sprint\n  ? open question\n    Who?\n    ${id.slice(0, 15)}\n`,
    );
  });

  it('says when no agent waits for the answer', async () => {
    const { root, project } = await startedSprint();
    const what = { kind: 'help', task: 'a', question: 'Who?' } as const;
    const request = await ask(project, { stream: 'demo', agent: { id: 'x' }, ...what });
    await recordDetached(project, request, { agentId: 'x', why: 'cancelled' });
    const { out } = await clifford(['status'], { cwd: root });
    expect(out).toContain('  ? open question about a, which no agent waits for now\n');
  });

  it('names a manifest that cannot be read beside the sprints that can', async () => {
    const { root } = await startedSprint();
    await writeSprint(root, { id: 'broken', manifest: { tasks: 'none' } });
    const { code, out, err } = await clifford(['status'], { cwd: root });
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^note: .*broken\/manifest\.json/) });
    expect(out).toMatch(/^demo /);
  });
});

it('commands that are proposed have the name of a task as one word, whatever is in it', async () => {
  const { root } = await projectWithSprint({ tasks: ["it's $(touch pwned)"] });
  const { code, err } = await clifford(['retry', "it's $(touch pwned)"], { cwd: root });
  expect(code).toBe(1);
  expect(err).toContain(String.raw`clifford skip 'it'\''s $(touch pwned)' --sprint demo`);
});
