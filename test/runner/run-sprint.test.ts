import { chmod, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { markProblem } from '../../src/lib/processes/inherited-mark.ts';
import { hasProcessTable } from '../../src/lib/processes/process-table.ts';
import { allGone, terminate } from '../../src/lib/processes/terminate.ts';
import { retryTasks } from '../../src/workflow/sprint/control.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { agentCmd, eventsOf, freshSprint, startRun, typesOf } from '../helpers/sprint-run.ts';
import { PROMPT_TEMPLATE } from '../../src/runner/plan/agent-prompt.ts';
import { markersOf, shownBy, strictCast } from '../helpers/strict-cast.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };

describe('a run', () => {
  it('takes a sprint from its folder through every task to its end', async () => {
    const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
    const { runner, ended, text } = startRun(root, { agentCmd: agentHere('complete') });
    const told: string[] = [];
    runner.on('start', ({ sprint }) => told.push(`start ${sprint}`));
    runner.on('task-start', ({ task, attempt }) => told.push(`task ${task} ${attempt}`));
    runner.on('stop', ({ outcome }) => told.push(`stop ${outcome}`));

    expect(await ended).toEqual(done);
    expect(told).toEqual(['start demo', 'task a 1', 'task b 1', 'stop completed']);
    expect(text()).toBe('did a\ndid b\n');
    const perTask = ['task.started', 'agent.started', 'task.completed', 'agent.exited'];
    expect(await typesOf(project)).toEqual([
      'sprint.created',
      'sprint.started',
      ...perTask,
      ...perTask,
      'sprint.completed',
    ]);
  });

  it('fails a task whose file is missing before an agent starts, and goes on', async () => {
    const { root, dir, project } = await freshSprint({ tasks: ['a', 'b'] });
    await rm(join(dir, 'a.md'));
    const run = () => startRun(root, { agentCmd: agentHere('complete'), maxAttempts: 3, sprint: 'demo' });
    const reason = 'its file sprints/demo/a.md is missing. Bring it back, then: clifford retry a';
    expect(await run().ended).toEqual({ outcome: 'failed', reason: `task a failed: ${reason}` });
    const agents = (await eventsOf(project)).filter(({ type }) => type === 'agent.started');
    expect(agents.map(({ subject }) => subject)).toEqual(['demo/b']);

    await writeFile(join(dir, 'a.md'), '# a');
    await retryTasks(project, { stream: 'demo', taskId: 'a', by: 'me' });
    expect(await run().ended).toEqual(done);
  });

  it('tells the agent where it is, by prompt and environment, and closes its stdin', async () => {
    const { root, dir } = await freshSprint();
    const { ended, text, runner } = startRun(root, { agentCmd: agentCmd('print-start', 'two words') });
    const runs: string[] = [];
    runner.on('task-start', ({ runId }) => runs.push(runId));
    await ended;

    const start: unknown = JSON.parse(text());
    const file = join(dir, 'a.md');
    expect(start).toMatchObject({ args: ['two words'], cwd: root, root, dir, run: runs[0], task: 'a', file });
    expect(start).toMatchObject({
      input: expect.stringMatching(
        new RegExp(
          `Task file: ${file}\nCURRENT_SPRINT_DIR: ${dir}\nCLIFFORD_PROJECT_ROOT: ${root}\n[^]*` +
            'clifford ask "<question>"[^]*clifford task done:[^]*clifford task fail --reason',
        ),
      ),
    });
  });

  it('tells an agent without MCP why the attempt before failed, also where init has written the built-in text', async () => {
    const { root } = await freshSprint();
    await writeFile(join(root, '.clifford/prompt.md'), PROMPT_TEMPLATE);
    const keep = `sh -c 'cat >>prompts; echo ---- >>prompts'`;
    await startRun(root, { agentCmd: keep, maxAttempts: 2 }).ended;
    const [first = '', second = ''] = (await readFile(join(root, 'prompts'), 'utf8')).split('----\n');
    expect(first).toContain('\n2. clifford task done: when the task is done.');
    expect(first).not.toContain('The attempt before this one failed');
    expect(second).toMatch(
      /\nThe attempt before this one failed: the agent ended without completing the task\n$/,
    );
  });

  it('tells an agent that is given the MCP server of its tools, and not of a shell', async () => {
    const { root } = await freshSprint();
    const keep = `sh -c 'cat >prompt' sh {mcpConfig}`;
    await startRun(root, { agentCmd: keep, maxAttempts: 1 }).ended;
    const prompt = await readFile(join(root, 'prompt'), 'utf8');
    expect(prompt).toMatch(/get_sprint_context[^]*request_help[^]*update_task_status[^]*complete_sprint/);
    expect(prompt).not.toContain('clifford task');
  });

  it('puts the prompt into the argument that wants it, and leaves stdin empty', async () => {
    const { root } = await freshSprint();
    const { ended, text } = startRun(root, { agentCmd: agentCmd('print-start', '-p', '{prompt}') });
    await ended;
    expect(JSON.parse(text())).toMatchObject({
      args: ['-p', expect.stringContaining('You work on task a')],
      input: '',
    });
  });

  it('records who the agent is, and keeps what it printed', async () => {
    const { root, project } = await freshSprint();
    const { ended } = startRun(root, { agentCmd: agentCmd('complete') });
    await ended;

    const agent = (await eventsOf(project)).find(({ type }) => type === 'agent.started');
    expect(agent?.data).toMatchObject({
      adapter: 'command',
      attempt: 1,
      argv: [process.execPath, expect.stringContaining('complete.mjs')],
      pid: expect.any(Number),
      processStart: expect.stringMatching(/./),
      bootId: expect.stringMatching(/./),
    });
    const files = await readdir(join(root, '.clifford/transcripts'));
    const transcript = files.find((name) => name.endsWith('.cast')) ?? '';
    expect(agent?.data).toHaveProperty('transcript', `.clifford/transcripts/${transcript}`);
    const { title, events } = strictCast(
      await readFile(join(root, '.clifford/transcripts', transcript), 'utf8'),
      3,
    );
    expect(title).toBe('demo/a, attempt 1');
    expect(shownBy(events)).toBe('did a\r\n');
    expect(markersOf(events)).toEqual([
      expect.stringMatching(/^#\d+ task\.started$/),
      expect.stringMatching(/^#\d+ agent\.started$/),
      expect.stringMatching(/^#\d+ task\.completed$/),
    ]);
    expect(events.at(-1)?.slice(1)).toEqual(['x', '0']);
  });

  it('is complete when the agent completed the sprint itself', async () => {
    const { root, project } = await freshSprint();
    const { ended } = startRun(root, { agentCmd: agentCmd('finish-sprint') });
    expect(await ended).toEqual(done);
    const completions = (await eventsOf(project)).filter(({ type }) => type === 'sprint.completed');
    expect(completions.map(({ data }) => data)).toMatchObject([{ by: 'agent', summary: 'by the agent' }]);
  });

  it.runIf(hasProcessTable)('leaves no file of the project open', async () => {
    const { root, project } = await freshSprint();
    await startRun(root, { agentCmd: agentHere('complete') }).ended;
    await project.close();
    const fds = await readdir('/proc/self/fd');
    const files = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    expect(files.filter((file) => file.startsWith(root))).toEqual([]);
  });

  it('of a sprint that is done already starts nothing', async () => {
    const manifest = { tasks: [{ id: 'a', file: 'a.md', status: 'completed' }] };
    const { root, project } = await freshSprint({ manifest });
    expect(await startRun(root, { agentCmd: agentHere('complete'), sprint: 'demo' }).ended).toEqual(done);
    const before = await typesOf(project);
    expect(await startRun(root, { agentCmd: agentHere('complete'), sprint: 'demo' }).ended).toEqual(done);
    expect(await typesOf(project)).toEqual(before);
  });
});

describe('an agent that completed its task', () => {
  it('and goes on is ended after its grace, and the task stays completed', async () => {
    const { root, project } = await freshSprint();
    // Without the grace of this run it might go on for ever.
    await writeConfig(join(root, 'clifford.json'), { limits: { exit: 0 } });
    const command = agentCmd('hang-after-completion');
    expect(await startRun(root, { agentCmd: command, completionGraceMs: 50 }).ended).toEqual(done);
    const exit = (await eventsOf(project)).find(({ type }) => type === 'agent.exited');
    expect(exit?.data).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('and may be silent without limit is never said to be silent', async () => {
    const { root } = await freshSprint();
    await writeConfig(join(root, 'clifford.json'), { limits: { idle: 0, tool: 0 } });
    const { runner, ended } = startRun(root, { agentCmd: agentHere('complete') });
    const silences: unknown[] = [];
    runner.on('silence', (silence) => silences.push(silence));
    expect(await ended).toEqual(done);
    expect(silences).toEqual([]);
  });

  it('and leaves a process in its group: that one ends, too', async () => {
    const { root } = await freshSprint();
    const { ended, printed } = startRun(root, { agentCmd: agentCmd('leave-child') });
    const [, child] = await printed(/ready (\d+)/);
    expect(await ended).toEqual(done);
    expect(await allGone([Number(child)], 0)).toBe(true);
  });

  it('and leaves one that has left its group: that one ends, too', async () => {
    const { root } = await freshSprint();
    const { ended, printed } = startRun(root, { agentCmd: agentCmd('leave-daemon') });
    const daemon = Number((await printed(/ready (\d+)/))[1]);
    onTestFinished(() => terminate([daemon]));
    expect(await ended).toEqual(done);
    expect(await allGone([daemon], 0)).toBe(true);
  });

  it('and leaves one that nobody can know to be its own, and that holds its output open: the run ends all the same', async () => {
    const { root } = await freshSprint();
    const { ended, printed } = startRun(root, { agentCmd: agentCmd('leave-daemon', 'unmarked') });
    const daemon = Number((await printed(/ready (\d+)/))[1]);
    onTestFinished(() => terminate([daemon]));
    expect(await ended).toEqual(done);
    expect(await allGone([daemon], 0)).toBe(false);
  });
});

describe('an agent that ends without completing its task', () => {
  it('fails the sprint although it exited with 0, with what it said last', async () => {
    const { root, project } = await freshSprint();
    expect(await startRun(root, { agentCmd: agentCmd('give-up') }).ended).toEqual({
      outcome: 'failed',
      reason: 'task a failed: the agent ended without completing the task: I think I am done',
    });
    expect((await typesOf(project)).slice(-3)).toEqual(['agent.exited', 'task.failed', 'sprint.failed']);
  });

  it('is followed by the next attempt while attempts are left', async () => {
    const { root, project } = await freshSprint();
    expect(await startRun(root, { agentCmd: agentHere('crash-once'), maxAttempts: 2 }).ended).toEqual(done);
    const retry = (await eventsOf(project)).find(({ type }) => type === 'task.retried');
    expect(retry?.data).toEqual({
      attempt: 2,
      delayMs: 10,
      reason: 'the agent exited with code 3: connecting | no network',
    });
  });

  it('is followed by it when the recorded delay is over', async () => {
    const { root, project } = await freshSprint();
    const command = agentHere('crash-once');
    await startRun(root, { agentCmd: command, maxAttempts: 2, retryDelayMs: 250 }).ended;
    const events = await eventsOf(project);
    const retried = events.findIndex(({ type }) => type === 'task.retried');
    const [before, after] = events.slice(retried, retried + 2).map(({ time }) => Date.parse(time));
    expect(events[retried + 1]?.type).toBe('task.started');
    expect(Number(after) - Number(before)).toBeGreaterThanOrEqual(250);
  });

  it('is followed by a later run, which does the failed task again', async () => {
    const { root, project } = await freshSprint();
    const command = agentHere('crash-once');
    expect(await startRun(root, { agentCmd: command }).ended).toMatchObject({ outcome: 'failed' });
    expect(await startRun(root, { agentCmd: command }).ended).toEqual(done);
    const types = await typesOf(project);
    expect(types.slice(types.indexOf('sprint.failed'))).toEqual([
      'sprint.failed',
      'task.reset',
      'sprint.started',
      'task.started',
      'agent.started',
      'task.completed',
      'agent.exited',
      'sprint.completed',
    ]);
  });
});

describe('a run is refused', () => {
  it('when its agent cannot be found, before an attempt is spent on it', async () => {
    const { root, project } = await freshSprint();
    await expect(startRun(root, { agentCmd: 'no-such-agent' }).ended).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
      recovery: 'fix-input',
    });
    expect(await typesOf(project)).toEqual([]);
  });

  it('while another runner has the sprint, and possible afterwards', async () => {
    const { root } = await freshSprint();
    const first = startRun(root, { agentCmd: agentHere('hang-first') });
    await first.printed(/ready/);
    await expect(startRun(root, { agentCmd: agentHere('complete') }).ended).rejects.toMatchObject({
      code: 'SPRINT_RUNNING',
      recovery: 'give-up',
      message: 'Cannot run sprint demo: another runner works on it',
    });
    await first.runner.stop();
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
  });

  it.each([0, 1.5, Number.NaN])('with %d attempts per task', async (maxAttempts) => {
    const { root } = await freshSprint();
    await expect(
      startRun(root, { agentCmd: agentHere('complete'), maxAttempts }).ended,
    ).rejects.toMatchObject({
      code: 'TASK_SETTINGS_INVALID',
    });
  });

  it('for a folder that is not .clifford', async () => {
    const { root } = await freshSprint();
    const { ended } = startRun(root, { agentCmd: agentHere('complete'), mcpStateDir: root });
    await expect(ended).rejects.toMatchObject({ code: 'STATE_DIR_INVALID' });
  });
});

it('an agent that the system cannot start fails its attempt with the reason', async () => {
  const { root, project } = await freshSprint();
  // It may be run, but its interpreter does not exist.
  await writeFile(join(root, 'agent'), '#!/no/such/interpreter\n');
  await chmod(join(root, 'agent'), 0o755);
  expect(await startRun(root, { agentCmd: './agent' }).ended).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(
      markProblem() === undefined
        ? /^task a failed: the agent could not be started: the interpreter that .*agent names is not there/
        : /^task a failed: the agent could not be started: .*ENOENT/,
    ),
  });
  expect(await typesOf(project)).toEqual([
    'sprint.created',
    'sprint.started',
    'task.started',
    'agent.lost',
    'task.failed',
    'sprint.failed',
  ]);
});
