import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { enterSprint } from '../../src/workflow/sprint/enter-sprint.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';
import { projectWithSprint, writeSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import type { TestAgent } from './support/connect-agent.ts';
import { eventsOf, untilAsked } from './support/project-log.ts';
import { startAttempt } from './support/start-attempt.ts';

const sprintDir = 'sprints/demo';

function report({ call }: TestAgent, taskId: string, status: string, summary?: string) {
  return call('update_task_status', {
    sprintDir,
    taskId,
    status,
    ...(summary === undefined ? {} : { summary }),
  });
}

describe('update_task_status', () => {
  it('records what the agent says, once', async () => {
    const { root, project } = await projectWithSprint();
    const agent = await connectAgent(root);
    expect(textOf(await report(agent, 'a', 'active'))).toBe('Task a is active');
    expect(textOf(await report(agent, 'a', 'active'))).toBe('Task a is active');
    expect(textOf(await report(agent, 'a', 'completed', 'All done'))).toBe('Task a is completed');
    expect(textOf(await report(agent, 'a', 'completed'))).toBe('Task a is completed');
    const told = await eventsOf(project, 'sprint.started', 'task.started', 'task.completed');
    expect(told.map(({ type }) => type)).toEqual(['sprint.started', 'task.started', 'task.completed']);
    expect(told.at(-1)?.data).toEqual({ by: 'agent', summary: 'All done' });
  });

  it('opens a request when the task is blocked, and names it', async () => {
    const { root, project } = await projectWithSprint();
    const agent = await connectAgent(root);
    await report(agent, 'a', 'active');
    const result = await report(agent, 'a', 'blocked', 'the database is down');
    const { id, asked } = await untilAsked(project);
    expect(asked.question).toBe('the database is down');
    expect(textOf(result)).toContain(`request_help with requestId ${id}`);

    const wait = agent.text('request_help', { task: 'a', reason: '', question: 'go on?', requestId: id });
    await answerRequest(project, id, { response: 'it is up again', by: 'ann', via: 'cli' });
    expect(await wait).toBe('it is up again');
  });

  it('says what a machine refuses, and what is possible instead', async () => {
    const { root } = await projectWithSprint();
    const agent = await connectAgent(root);
    const early = await report(agent, 'a', 'completed');
    expect(early.isError).toBe(true);
    expect(textOf(early)).toBe(
      'Cannot complete task a: it is pending. Possible now: clifford skip a --sprint demo, ' +
        'clifford cancel a --sprint demo, the tool update_task_status (active)',
    );
    await report(agent, 'a', 'active');
    await report(agent, 'a', 'completed');
    expect(textOf(await report(agent, 'a', 'blocked'))).toBe(
      'Cannot block task a: it is done. It is over: nothing can be decided about it any more',
    );
  });

  it('refuses a task the sprint does not have', async () => {
    const { root } = await projectWithSprint();
    expect(textOf(await report(await connectAgent(root), 'c', 'active'))).toBe(
      'Cannot find task c in sprint demo. Its tasks are a, b',
    );
  });

  it('says which sprint has a task that this one has not, without an option of the command line', async () => {
    const { root, project } = await projectWithSprint();
    await writeSprint(root, { id: 'login', tasks: ['form'] });
    await enterSprint(project, findSprintFolder(await listSprintFolders(root), 'login'));
    expect(textOf(await report(await connectAgent(root), 'form', 'active'))).toBe(
      'Cannot find task form in sprint demo. Task form is in sprint login: name that one',
    );
  });

  it('takes the word of the attempt that is the current one', async () => {
    const { root, project } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    const agent = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    expect(textOf(await report(agent, 'b', 'active'))).toBe(
      'Cannot start task b: this agent was started for task a of sprint demo. Complete a and exit: Clifford starts an agent for b',
    );
    expect(textOf(await report(agent, 'a', 'active'))).toBe('Task a is active');
    expect(textOf(await report(agent, 'a', 'completed'))).toBe('Task a is completed');
    const [completed] = await eventsOf(project, 'task.completed');
    expect(completed?.data).toEqual({ by: 'agent', runId: 'run-1' });
  });
});

describe('an attempt that has ended', () => {
  it('is refused, whatever it calls', async () => {
    const { root, project } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    const agent = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    await project.record('demo', [
      { type: 'agent.lost', subject: 'demo/a', data: { runId: 'run-1', reason: 'its runner was gone' } },
    ]);
    const calls = {
      get_sprint_context: { sprintDir },
      request_help: { task: 'a', reason: '', question: 'May I?' },
      update_task_status: { sprintDir, taskId: 'a', status: 'completed' },
      complete_sprint: { sprintDir },
    };
    for (const [name, args] of Object.entries(calls)) {
      const result = await agent.call(name, args);
      expect(result.isError, name).toBe(true);
      expect(textOf(result), name).toBe(
        'Cannot act for run run-1: its attempt at task a has ended, the task is active.starting. ' +
          'Stop working and exit: Clifford starts another agent when there is something to do',
      );
    }
    expect(await eventsOf(project, 'task.completed', 'help.requested')).toEqual([]);
  });

  it('is refused when the log does not know it, or knows a later one', async () => {
    const { root, project } = await projectWithSprint();
    const unknown = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-x' } });
    expect(textOf(await report(unknown, 'a', 'active'))).toContain(
      'Cannot act for run run-x: no task has such',
    );

    await startAttempt(project, 'a', 'run-1');
    await project.record('demo', [
      {
        type: 'agent.exited',
        subject: 'demo/a',
        data: { runId: 'run-1', code: 1, signal: null, durationMs: 1 },
      },
    ]);
    await startAttempt(project, 'a', 'run-2');
    const late = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    expect(textOf(await report(late, 'a', 'completed'))).toContain('Cannot act for run run-1');
  });

  it('may still complete the sprint when it has completed its task', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    await startAttempt(project, 'a', 'run-1');
    const agent = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    await report(agent, 'a', 'completed');
    expect(await agent.text('complete_sprint', { sprintDir })).toBe('Sprint demo is completed');
    const [completed] = await eventsOf(project, 'sprint.completed');
    expect(completed?.data).toEqual({ by: 'agent', runId: 'run-1' });
  });
});

describe('complete_sprint', () => {
  it('is refused while tasks are unfinished, and names them', async () => {
    const { root } = await projectWithSprint();
    const agent = await connectAgent(root);
    await report(agent, 'a', 'active');
    const result = await agent.call('complete_sprint', { sprintDir });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'Cannot complete sprint demo: unfinished tasks are a (active), b (pending). Complete or skip them first',
    );
  });

  it('completes the sprint, once', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    const agent = await connectAgent(root);
    await report(agent, 'a', 'active');
    await report(agent, 'a', 'completed');
    const args = { sprintDir, summary: 'A is there' };
    expect(await agent.text('complete_sprint', args)).toBe('Sprint demo is completed');
    expect(await agent.text('complete_sprint', args)).toBe('Sprint demo is completed');
    const completed = await eventsOf(project, 'sprint.completed');
    expect(completed.map(({ data }) => data)).toEqual([{ by: 'agent', summary: 'A is there' }]);
  });
});
