import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_TASK_BYTES } from '../../src/workflow/task/read-task-file.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { ask, askAnew, newRequestId } from '../../src/workflow/requests/ask.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { cancelTask } from '../../src/workflow/sprint/control.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import type { TestAgent } from './support/connect-agent.ts';
import { eventsOf, untilAsked, untilLogged } from './support/project-log.ts';
import { startAttempt } from './support/start-attempt.ts';

const sprintDir = 'sprints/demo';

async function contextOf({ call }: TestAgent, dir = sprintDir): Promise<Record<string, unknown>> {
  const result = await call('get_sprint_context', { sprintDir: dir });
  expect(result.isError).not.toBe(true);
  expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  return result.structuredContent ?? {};
}

/** What a program of the attempt `run-1` asks at its prompt. */
function promptOf(
  project: Project,
  stream: string,
  asked: { readonly question: string; readonly options?: string[]; readonly untypable?: true },
) {
  const agent = { id: 'run-1', runId: 'run-1' };
  return askAnew(project, { stream, kind: 'prompt', agent, task: 'a', requestId: newRequestId(), ...asked });
}

describe('get_sprint_context', () => {
  it('says where the sprint stands and what to do, and enters a new sprint into the log', async () => {
    const root = await tempRoot();
    const dir = await writeSprint(root);
    const project = await openTestProject(root);
    const agent = await connectAgent(root);
    const context = {
      sprint: {
        id: 'demo',
        name: 'Sprint demo',
        status: 'pending',
        tasks: [
          { id: 'a', file: 'a.md', status: 'pending' },
          { id: 'b', file: 'b.md', status: 'pending' },
        ],
      },
      currentTask: { id: 'a', file: 'a.md', status: 'pending', content: '# Task a\n' },
      guidance: null,
      guidances: [],
      sprintDir: dir,
    };
    expect(await contextOf(agent)).toEqual(context);
    expect(await contextOf(agent, dir)).toEqual(context);
    expect(await eventsOf(project, 'sprint.created')).toHaveLength(1);
  });

  it('goes on to the next task, and says so when none is left', async () => {
    const { root } = await projectWithSprint();
    const agent = await connectAgent(root);
    const report = (taskId: string, status: string) =>
      agent.text('update_task_status', { sprintDir, taskId, status });
    await report('b', 'active');
    expect(await contextOf(agent)).toMatchObject({ sprint: { status: 'active' }, currentTask: { id: 'b' } });
    await report('b', 'completed');
    expect(await contextOf(agent)).toMatchObject({ currentTask: { id: 'a', status: 'pending' } });
    await report('a', 'active');
    await report('a', 'completed');
    expect(await contextOf(agent)).toMatchObject({
      sprint: { tasks: [{ status: 'completed' }, { status: 'completed' }] },
      currentTask: null,
      note: 'All tasks completed or no pending tasks',
    });
  });

  it('names the tasks that wait for others when none is ready', async () => {
    const tasks = [
      { id: 'a', file: 'a.md' },
      { id: 'b', file: 'b.md', dependsOn: ['a'] },
      { id: 'c', file: 'c.md', dependsOn: ['b'] },
    ];
    const { root, project, stream } = await projectWithSprint({ manifest: { tasks } });
    await cancelTask(project, { stream, taskId: 'a', by: 'me' });
    expect(await contextOf(await connectAgent(root))).toMatchObject({
      sprint: { tasks: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }, { id: 'c', dependsOn: ['b'] }] },
      currentTask: null,
      note: 'No task is ready: b, c wait for tasks that did not complete',
    });
  });

  it('keeps what the manifest calls pushed', async () => {
    const tasks = [
      { id: 'a', file: 'a.md', status: 'pushed' },
      { id: 'b', file: 'b.md', status: 'completed' },
    ];
    const { root } = await projectWithSprint({ manifest: { tasks } });
    expect(await contextOf(await connectAgent(root))).toMatchObject({
      sprint: { tasks: [{ status: 'pushed' }, { status: 'completed' }] },
    });
  });

  it('hands over the answers that no agent has received, once', async () => {
    const { root, project } = await projectWithSprint();
    const asker = await connectAgent(root, { env: { CURRENT_SPRINT_DIR: sprintDir } });
    for (const [question, response] of [
      ['Which colour?', 'blue'],
      ['Which size?', 'small'],
    ]) {
      const cancel = new AbortController();
      const lost = asker.call('request_help', { task: 'a', reason: '', question }, cancel.signal);
      const { id } = await untilAsked(project);
      cancel.abort('lost');
      await expect(lost).rejects.toThrow('lost');
      await answerRequest(project, id, { response: String(response), by: 'ann', via: 'cli' });
    }

    const next = await connectAgent(root);
    const latest = { previousQuestion: 'Which size?', humanResponse: 'small' };
    expect(await contextOf(next)).toMatchObject({
      guidance: latest,
      guidances: [{ previousQuestion: 'Which colour?', humanResponse: 'blue' }, latest],
    });
    await untilLogged(project, 'help.delivered', 2);
    expect(await contextOf(next)).toMatchObject({ guidance: null, guidances: [] });
  });

  it('hands over what a human said to a question of the sprint, and that one was dismissed, once', async () => {
    const { root, project, stream } = await projectWithSprint();
    const asker = { id: 'gone' };
    const kind = 'help';
    const general = await ask(project, { stream, kind, agent: asker, question: 'Which licence?' });
    const dismissed = await ask(project, { stream, kind, agent: asker, question: 'Which hat?', task: 'a' });
    const open = await ask(project, { stream, kind, agent: asker, question: 'Which shoe?', task: 'a' });
    await answerRequest(project, general.id, { response: 'MIT', by: 'ann', via: 'cli' });
    await dismissRequest(project, dismissed.id, { reason: 'no hats', by: 'ann', via: 'cli' });

    const next = await connectAgent(root);
    expect(await contextOf(next)).toMatchObject({
      guidances: [
        { previousQuestion: 'Which licence?', humanResponse: 'MIT' },
        {
          previousQuestion: 'Which hat?',
          humanResponse: expect.stringMatching(/^The human dismissed this question .* Reason: no hats\./),
        },
      ],
    });
    await untilLogged(project, 'help.delivered', 2);
    expect(await contextOf(next)).toMatchObject({ guidances: [] });

    // Nobody's word: it ended with its task.
    await setTaskStatus(project, { stream, taskId: 'a', status: 'completed', agent: { id: 'x' } });
    expect(project.state.streams.get(stream)?.requests.get(open.id)?.phase).toBe('dismissed');
    expect(await contextOf(next)).toMatchObject({ guidances: [] });
  });

  it('does not hand over what may have been typed at a prompt, nor that one was dismissed, but the option that was chosen', async () => {
    const { root, project, stream } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    const prompt = (question: string, options?: string[]) =>
      promptOf(project, stream, { question, ...(options && { options }) });
    const typed = await prompt('Kennwort:');
    await answerRequest(project, typed.id, { response: 'sonnen_blume9', by: 'ann', via: 'cli' });
    const chosen = await prompt('Weiter? [y/N]', ['y', 'n']);
    await answerRequest(project, chosen.id, { response: 'n', option: 1, by: 'ann', via: 'cli' });
    const dismissed = await prompt('Done?');
    const again = await prompt('Done?');
    expect(again.asked.follows).toBe(dismissed.id);
    for (const { id } of [dismissed, again]) await dismissRequest(project, id, { by: 'ann', via: 'cli' });
    // It is typed into the program of that attempt: a tool that told it would have taken it from there.
    expect(await contextOf(await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } }))).toMatchObject({
      guidances: [],
    });
    await project.record(stream, [
      { type: 'agent.lost', subject: `${stream}/a`, data: { runId: 'run-1', reason: 'killed' } },
    ]);
    // Nor is it for who only looks.
    expect(await contextOf(await connectAgent(root))).toMatchObject({ guidances: [] });
    await startAttempt(project, 'a', 'run-2');
    const next = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-2' } });
    expect(await contextOf(next)).toMatchObject({
      guidances: [
        {
          previousQuestion: 'An earlier attempt stopped at a prompt of its terminal: "Kennwort:".',
          humanResponse: expect.stringMatching(/^It was answered\./),
        },
        {
          previousQuestion: 'An earlier attempt stopped at a prompt of its terminal: "Weiter? [y/N]".',
          humanResponse: 'n',
        },
      ],
    });
    await untilLogged(project, 'help.delivered', 2);
    expect(await contextOf(next)).toMatchObject({ guidances: [] });
    // An agent that asks in the words of a program asks a human.
    const asker = { id: 'cli-1' };
    const own = await ask(project, { stream, kind: 'help', agent: asker, task: 'a', question: 'Kennwort:' });
    expect(own).toMatchObject({ phase: 'open', asked: { kind: 'help' } });
  });

  it('keeps what was answered where nothing could be typed for the next attempt, and tells whose word it is', async () => {
    const { root, project, stream } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    const prompt = (question: string) => promptOf(project, stream, { question, untypable: true });
    const [said, own] = [await prompt('Proceed with?'), await prompt('May I push?')];
    await answerRequest(project, said.id, { response: 'the old one', by: 'ann', via: 'cli' });
    await answerRequest(project, own.id, { response: 'yes', by: 'agent:run-1', via: 'cli' });
    // It has lived on where its runner was killed.
    const orphan = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    expect(await contextOf(orphan)).toMatchObject({ guidances: [] });
    await project.record(stream, [
      { type: 'agent.lost', subject: `${stream}/a`, data: { runId: 'run-1', reason: 'killed' } },
    ]);
    await startAttempt(project, 'a', 'run-2');
    const next = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-2' } });
    expect(await contextOf(next)).toMatchObject({
      guidances: [
        { humanResponse: 'the old one' },
        { humanResponse: 'This is the word of the agent that asked (run-1), no human: yes' },
      ],
    });
  });

  it('tells an attempt what only an earlier one has received, and leaves it to ask for it', async () => {
    const { root, project } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    const first = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    const question = { task: 'a', reason: '', question: 'Which port?' };
    const asking = first.text('request_help', question);
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { response: '8080', by: 'ann', via: 'cli' });
    expect(await asking).toBe('8080');
    await untilLogged(project, 'help.delivered');
    expect(await contextOf(first)).toMatchObject({ guidances: [] });

    await project.record('demo', [
      { type: 'agent.lost', subject: 'demo/a', data: { runId: 'run-1', reason: 'killed' } },
    ]);
    await startAttempt(project, 'a', 'run-2');
    const next = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-2' } });
    const told = { guidances: [{ previousQuestion: 'Which port?', humanResponse: '8080' }] };
    expect(await contextOf(next)).toMatchObject(told);
    expect(await contextOf(next)).toMatchObject(told);
    expect(await contextOf(await connectAgent(root))).toMatchObject({ guidances: [] });

    expect(await next.text('request_help', question)).toBe('8080');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
    await untilLogged(project, 'help.delivered', 2);
    expect(await contextOf(next)).toMatchObject({ guidances: [] });
  });

  it('shows an answer to an agent that does not work on the task, and keeps it for the one that does', async () => {
    const { root, project, stream } = await projectWithSprint();
    const { id } = await ask(project, {
      stream,
      kind: 'help',
      agent: { id: 'gone' },
      question: 'Which port?',
      task: 'b',
    });
    await answerRequest(project, id, { response: '8080', by: 'ann', via: 'cli' });
    await startAttempt(project, 'a', 'run-1');
    const env = { CLIFFORD_RUN_ID: 'run-1' };
    const other = await connectAgent(root, { env });
    await other.call('update_task_status', { sprintDir, taskId: 'a', status: 'completed' });
    const told = { guidances: [{ previousQuestion: 'Which port?', humanResponse: '8080' }] };
    expect(await contextOf(other)).toMatchObject(told);
    expect(await contextOf(other)).toMatchObject(told);
    expect(await contextOf(await connectAgent(root))).toMatchObject(told);
    const [delivered, second] = await untilLogged(project, 'help.delivered');
    expect(delivered?.data.to).not.toBe('run-1');
    expect(second).toBeUndefined();
  });
});

describe('a task file', () => {
  it.each([
    ['missing', 'none/nowhere.md'],
    ['a folder', '.'],
    ['outside the project', '../../../outside.md'],
    ['with a NUL byte in its name', 'a\0.md'],
  ])('%s has no content', async (_title, file) => {
    const { root } = await projectWithSprint({ manifest: { tasks: [{ id: 'a', file }] } });
    expect(await contextOf(await connectAgent(root))).toMatchObject({
      currentTask: { id: 'a', content: null },
    });
  });

  it('that is a link out of the project has no content', async () => {
    const { root, dir } = await projectWithSprint();
    await rm(join(dir, 'a.md'));
    await symlink('/etc/hostname', join(dir, 'a.md'));
    expect(await contextOf(await connectAgent(root))).toMatchObject({ currentTask: { content: null } });
  });

  it.skipIf(process.platform === 'win32')('that is a named pipe is not waited for', async () => {
    const { root, dir } = await projectWithSprint();
    await rm(join(dir, 'a.md'));
    await promisify(execFile)('mkfifo', [join(dir, 'a.md')]);
    expect(await contextOf(await connectAgent(root))).toMatchObject({ currentTask: { content: null } });
  });

  it('is cut when it is too long for clients', async () => {
    const { root, dir } = await projectWithSprint();
    await writeFile(join(dir, 'a.md'), 'x'.repeat(MAX_TASK_BYTES + 1));
    const { currentTask } = await contextOf(await connectAgent(root));
    expect(currentTask).toMatchObject({
      content: `${'x'.repeat(MAX_TASK_BYTES)}\n[cut after ${MAX_TASK_BYTES} of ${MAX_TASK_BYTES + 1} bytes: read ${join(dir, 'a.md')}]`,
    });
  });
});

describe('a sprintDir', () => {
  async function refusal(root: string, dir: string): Promise<string> {
    const result = await (await connectAgent(root)).call('get_sprint_context', { sprintDir: dir });
    expect(result.isError).toBe(true);
    return textOf(result);
  }

  async function outsideSprint(): Promise<string> {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'clifford-outside-')));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    return writeSprint(outside);
  }

  it('without a manifest is named', async () => {
    const { root } = await projectWithSprint();
    const path = join(root, 'sprints/none/manifest.json');
    expect(await refusal(root, 'sprints/none')).toBe(`Sprint manifest not found at ${path}`);
    expect(await refusal(root, join(root, 'sprints/none'))).toBe(`Sprint manifest not found at ${path}`);
  });

  it('with a broken manifest is refused with the reason', async () => {
    const { root, dir } = await projectWithSprint();
    await writeFile(join(dir, 'manifest.json'), '{"id":"demo"}');
    expect(await refusal(root, sprintDir)).toContain('tasks is missing (expected a list)');
  });

  it.each([
    ['..', () => '..'],
    ['a way up and down again', () => 'sprints/../../etc'],
    ['an absolute path', () => '/etc'],
    ['a sibling that begins like the root', (root: string) => `${root}-other`],
    ['what does not exist', () => '../nowhere/at/all'],
  ])('that leads out of the project is refused: %s', async (_title, dirOf) => {
    const { root } = await projectWithSprint();
    expect(await refusal(root, dirOf(root))).toBe(
      `Cannot use path ${JSON.stringify(dirOf(root))}: it leads out of the project ${root}. ` +
        'Name a folder of the project, absolute or relative to its root',
    );
  });

  it('that is a link out of the project is refused, and so is one that goes through it', async () => {
    const { root } = await projectWithSprint();
    const outside = await outsideSprint();
    await symlink(outside, join(root, 'sprints/linked'));
    await symlink(join(outside, '..'), join(root, 'linked'));
    expect(await refusal(root, 'sprints/linked')).toContain('it leads out of the project');
    expect(await refusal(root, 'linked/demo')).toContain('it leads out of the project');
    expect(await refusal(root, 'linked/not/there')).toContain('it leads out of the project');
  });

  it('whose manifest is a link out of the project shows nothing of the file', async () => {
    const { root, dir } = await projectWithSprint();
    const secret = join(await outsideSprint(), 'a.md');
    await rm(join(dir, 'manifest.json'));
    await symlink(secret, join(dir, 'manifest.json'));
    const text = await refusal(root, sprintDir);
    expect(text).toContain('it leads out of the project');
    expect(text).not.toContain((await readFile(secret, 'utf8')).trim());
  });

  it('with a NUL byte, or of a loop of links, is refused in words', async () => {
    const { root } = await projectWithSprint();
    await symlink('loop', join(root, 'loop'));
    expect(await refusal(root, 'sprints/demo\0')).toContain(
      'Cannot use path "sprints/demo\\u0000": it contains a NUL byte',
    );
    expect(await refusal(root, 'loop')).toContain('Cannot use path');
  });

  it('that is a link within the project is the sprint it leads to', async () => {
    const { root, dir } = await projectWithSprint();
    await symlink('sprints/demo', join(root, 'current'));
    expect(await contextOf(await connectAgent(root), 'current')).toMatchObject({ sprintDir: dir });
  });

  it('is refused when another folder holds a sprint with its id', async () => {
    const { root, dir } = await projectWithSprint();
    const twin = join(root, 'twin');
    await mkdir(twin);
    await writeFile(join(twin, 'manifest.json'), await readFile(join(dir, 'manifest.json')));
    expect(await refusal(root, 'twin')).toBe(
      `Cannot tell sprints apart: ${dir} and ${twin} both have id demo. Give each manifest.json an id of its own`,
    );
  });
});
