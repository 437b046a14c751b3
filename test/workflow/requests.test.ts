import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { askApproval, deny } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { findRequest } from '../../src/workflow/requests/find-request.ts';
import { replyText } from '../../src/workflow/requests/reply-text.ts';
import { closedBy } from '../../src/workflow/requests/outcome-text.ts';
import { pauseSprint, retryTasks, skipTask } from '../../src/workflow/sprint/control.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { approval } from '../helpers/approval.ts';
import { fact } from '../helpers/facts.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };
const other = { id: 'session-2', client: 'codex' };
const me = { by: 'me', via: 'cli' };
const no = { response: 'no' };
const question = { kind: 'help', task: 'a', question: 'Which port?' } as const;

const taskName = (project: Project, id = 'a') =>
  nameOf(project.state.streams.get('demo')?.tasks.get(id)?.machine.value ?? 'missing');
const asked = (project: Project) => project.state.streams.get('demo')?.requests.size;

describe('asking', () => {
  it('starts the sprint and the pending task it is about, and blocks it', async () => {
    const { project, stream } = await projectWithSprint();
    await ask(project, { stream, agent, ...question });
    expect(taskName(project)).toBe('blocked.question');
  });

  it('the same words joins the open question, whoever asks', async () => {
    const { project, stream } = await projectWithSprint();
    const first = await ask(project, { stream, agent, ...question });
    const again = await ask(project, { stream, agent: other, ...question, question: ' which  PORT? ' });
    expect(again.id).toBe(first.id);
    expect(asked(project)).toBe(1);
  });

  it('again gives the answer at once to an agent that has not received it', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    await answerRequest(project, id, { ...me, response: '8080' });
    const again = await ask(project, { stream, agent, ...question });
    expect(again).toMatchObject({ id, answer: { response: '8080' } });
  });

  it('again after the answer was received is a new question that follows the old one', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    await answerRequest(project, id, { ...me, response: '8080' });
    await recordDelivery(project, [findRequest(project.state, id)], agent.id);

    const late = await ask(project, { stream, agent: other, ...question });
    expect(late.id).toBe(id);
    const anew = await ask(project, { stream, agent, ...question });
    expect(anew).toMatchObject({ phase: 'open', asked: { follows: id } });
    expect(anew.id).not.toBe(id);
  });

  it('the same words joins the question when they hold a secret, which the log does not keep', async () => {
    const { project, stream } = await projectWithSprint();
    const secret = { ...question, question: `Is sk-${'x1'.repeat(20)} the key?` };
    const first = await ask(project, { stream, agent, ...secret });
    const again = await ask(project, { stream, agent: other, ...secret });
    expect(first.asked.question).toBe('Is [redacted] the key?');
    expect(again.id).toBe(first.id);
  });

  it('about a task that is not its own belongs to the sprint, and starts nothing', async () => {
    const { project, stream } = await projectWithSprint();
    const sprint = project.state.streams.get(stream);
    const task = sprint?.tasks.get('a');
    if (!sprint || !task) throw new Error('the sprint has no task a');
    await project.dispatch(stream, () => startTask(sprint, task, { by: 'runner', runId: 'run-1' }));
    const started = { ...agent, id: 'run-1', runId: 'run-1' };
    const request = await ask(project, { stream, agent: started, ...question, task: 'b' });
    expect(request).toMatchObject({ taskId: undefined, asked: { task: 'b' } });
    expect(taskName(project, 'b')).toBe('pending');
    expect(taskName(project, 'a')).toBe('active.starting');
  });

  it('about another task than the one it worked on, which is over, starts nothing either', async () => {
    const { project, stream } = await projectWithSprint();
    const sprint = project.state.streams.get(stream);
    const task = sprint?.tasks.get('a');
    if (!sprint || !task) throw new Error('the sprint has no task a');
    await project.dispatch(stream, () => startTask(sprint, task, { by: 'runner', runId: 'run-1' }));
    await project.record(stream, [{ subject: 'demo/a', ...fact('agent.started') }]);
    const run = { ...agent, id: 'run-1', runId: 'run-1' };
    await setTaskStatus(project, { stream, taskId: 'a', status: 'completed', agent: run });
    const request = await ask(project, { stream, agent: run, ...question, task: 'b' });
    expect(request).toMatchObject({ taskId: undefined, asked: { task: 'b' } });
    expect(taskName(project, 'b')).toBe('pending');
  });

  it('under an id of its own gets the same answer again, however often', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question, requestId: 'mine-1' });
    expect(id).toBe('mine-1');
    await answerRequest(project, id, { ...me, response: '8080' });
    await recordDelivery(project, [findRequest(project.state, id)], agent.id);
    const again = await ask(project, { stream, agent, ...question, question: 'Other words?', requestId: id });
    expect(again).toMatchObject({ id, answer: { response: '8080' } });
    expect(asked(project)).toBe(1);
  });

  it('anew when its task was ended meanwhile, and goes on: nobody has answered that', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    await skipTask(project, { stream, taskId: 'a', ...me });
    const ended = await ask(project, { stream, agent, ...question });
    expect(ended.id).toBe(id);
    expect(replyText(ended)).toBe(
      `Nobody answered this question (${id}): task skipped while it was open. If you still need to know, ` +
        'read the sprint with get_sprint_context first.',
    );

    await retryTasks(project, { stream, taskId: 'a', ...me });
    const anew = await ask(project, { stream, agent: other, ...question });
    expect(anew).toMatchObject({ phase: 'open', taskId: 'a' });
    expect(anew.asked.follows).toBeUndefined();
  });

  it('not anew when a human dismissed it before its task was ended', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    await dismissRequest(project, id, me);
    await skipTask(project, { stream, taskId: 'a', ...me });
    await retryTasks(project, { stream, taskId: 'a', ...me });
    expect((await ask(project, { stream, agent: other, ...question })).id).toBe(id);
  });

  it.each([
    [
      'rejected',
      (project: Project, id: string) => answerRequest(project, id, { ...me, ...no, rejected: true }),
    ],
    ['dismissed', (project: Project, id: string) => dismissRequest(project, id, me)],
  ])('again is forbidden to nobody once its task is begun anew, though it was %s', async (_how, refuse) => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    const said = () => replyText(findRequest(project.state, id));
    await refuse(project, id);
    expect(said()).toMatch(/Do not ask it again/);
    await recordDelivery(project, [findRequest(project.state, id)], agent.id);
    await skipTask(project, { stream, taskId: 'a', ...me });
    await retryTasks(project, { stream, taskId: 'a', ...me });
    expect(said()).toMatch(/begun anew since: .*ask again where you need to\.$/);
  });

  it('for a call again is forbidden to nobody once its task is begun anew, though it was denied', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await askApproval(project, { stream, taskId: 'a', agent, approval });
    const said = () => replyText(findRequest(project.state, id));
    await deny(project, id, me);
    expect(said()).toMatch(/Do not make it again as it is/);
    await recordDelivery(project, [findRequest(project.state, id)], agent.id);
    await skipTask(project, { stream, taskId: 'a', ...me });
    await retryTasks(project, { stream, taskId: 'a', ...me });
    expect(said()).toMatch(/begun anew since: making the call again asks again\.$/);
  });

  it('about another task is another question', async () => {
    const { project, stream } = await projectWithSprint();
    const a = await ask(project, { stream, agent, ...question });
    const b = await ask(project, { stream, agent, ...question, task: 'b' });
    expect(a.id).not.toBe(b.id);
  });

  it('about an unknown, a done or no task belongs to the sprint', async () => {
    const { project, stream } = await projectWithSprint();
    await setTaskStatus(project, { stream, taskId: 'b', status: 'active', agent });
    await setTaskStatus(project, { stream, taskId: 'b', status: 'completed', agent });
    for (const task of ['nobody', 'b', undefined]) {
      const request = await ask(project, {
        stream,
        agent,
        kind: 'help',
        question: `Of ${task}?`,
        ...(task ? { task } : {}),
      });
      expect(request.taskId, String(task)).toBeUndefined();
    }
    expect(taskName(project, 'b')).toBe('done.completed');
  });

  it('about a pending task of a paused sprint is not lost', async () => {
    const { project, stream } = await projectWithSprint();
    await setTaskStatus(project, { stream, taskId: 'b', status: 'active', agent });
    await pauseSprint(project, { stream, by: 'me' });
    const request = await ask(project, { stream, agent, ...question });
    expect(request).toMatchObject({ phase: 'open', taskId: undefined });
    expect(taskName(project)).toBe('pending');
  });

  it('outside any sprint goes to the stream adhoc', async () => {
    const project = await openTestProject(await tempRoot());
    const { id } = await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Now?' });
    expect(await answerRequest(project, id, { ...me, response: 'yes' })).toMatchObject({ accepted: true });
  });

  it('by an attempt that has ended is refused', async () => {
    const { project, stream } = await projectWithSprint();
    await setTaskStatus(project, { stream, taskId: 'a', status: 'active', agent });
    const ended = { id: 'run-0', runId: 'run-0' };
    await expect(ask(project, { stream, agent: ended, ...question })).rejects.toMatchObject({
      code: 'ILLEGAL',
      message: 'Cannot ask about task a: it is active, and this attempt at it has ended',
    });
  });

  it('by two processes at once asks the human once', async () => {
    const { root, project, stream } = await projectWithSprint();
    const second = await openTestProject(root);
    const [a, b] = await Promise.all([
      ask(project, { stream, agent, ...question }),
      ask(second, { stream, agent: other, ...question }),
    ]);
    expect(a.id).toBe(b.id);
    await project.refresh();
    expect(asked(project)).toBe(1);
  });
});

describe('answering', () => {
  it('wakes who waits in another process', async () => {
    const { root, project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    const waiting = project.until((state) => state.streams.get(stream)?.requests.get(id)?.answer);
    const screen = await openTestProject(root);
    await answerRequest(screen, id, { ...me, response: '8080' });
    expect(await waiting).toMatchObject({ response: '8080', by: 'me', via: 'cli' });
    expect(taskName(project)).toBe('active.working');
  });

  it('is won by one of two, and the other is told by whom', async () => {
    const { root, project, stream } = await projectWithSprint();
    const second = await openTestProject(root);
    for (let round = 0; round < 20; round += 1) {
      const { id } = await ask(project, { stream, agent, ...question, question: `Round ${round}?` });
      await second.refresh();
      const outcomes = await Promise.all([
        answerRequest(project, id, { by: 'ann', via: 'tui', response: 'from ann' }),
        answerRequest(second, id, { by: 'bob', via: 'cli', response: 'from bob' }),
      ]);
      const lost = outcomes.find(({ accepted }) => !accepted);
      expect(outcomes.filter(({ accepted }) => accepted)).toHaveLength(1);
      const winner = findRequest(await project.refresh(), id).answer;
      expect(lost).toMatchObject({ request: { answer: winner } });
    }
  });

  it('loses against a dismissal, in words', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    await dismissRequest(project, id, { by: 'ann', via: 'tui', reason: 'Decide yourself' });
    const outcome = await answerRequest(project, id, { ...me, response: '8080' });
    expect(outcome.accepted).toBe(false);
    expect(outcome.request && closedBy(outcome.request)).toBe(
      'ann dismissed it on the screen (Decide yourself)',
    );
  });

  it('loses against who asked for other words, who need not say which', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    await answerRequest(project, id, { by: 'ann', via: 'tui', response: '', rephrase: true });
    const { request } = await answerRequest(project, id, { ...me, response: '8080' });
    expect(request && closedBy(request)).toMatch(/^ann asked to rephrase it on the screen at [^ ]+Z$/);
  });

  it('finds nothing under an id that nobody has', async () => {
    const { project } = await projectWithSprint();
    expect(await answerRequest(project, 'q-0', { ...me, response: 'x' })).toEqual({
      accepted: false,
      request: undefined,
    });
  });
});

describe('naming a request', () => {
  it('takes the id, a unique beginning, or last for the only open one', async () => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, ...question });
    expect(findRequest(project.state, id).id).toBe(id);
    expect(findRequest(project.state, id.slice(0, 20)).id).toBe(id);
    expect(findRequest(project.state, 'last').id).toBe(id);
  });

  it('lists the open ones when last could be several, and says when there is none', async () => {
    const { project, stream } = await projectWithSprint();
    expect(() => findRequest(project.state, 'last')).toThrow('no question and no tool call waits');
    await ask(project, { stream, agent, ...question });
    await ask(project, { stream, agent, ...question, question: 'Which host?' });
    expect(() => findRequest(project.state, 'last')).toThrow(/Which port\?.*Which host\?/);
    expect(() => findRequest(project.state, 'zzz')).toThrow('no question has that id');
  });
});
