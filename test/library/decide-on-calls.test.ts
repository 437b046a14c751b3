import { describe, expect, it, onTestFinished } from 'vitest';
import type { Approval } from '../../src/events/approval.ts';
import { CliffordProject } from '../../src/library/clifford-project.ts';
import { askApproval, deny } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { approval } from '../helpers/approval.ts';
import { writeMcpJson } from '../helpers/mcp-json.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { eventsOf } from '../mcp/support/project-log.ts';

const agent = { id: 'run-1', client: 'x' };

async function setUp() {
  const { root, project } = await projectWithSprint();
  const opened = await CliffordProject.open({ projectRoot: root, by: 'ann', env: {} });
  onTestFinished(() => opened.close());
  /** A call that waits. */
  const call = async (over: Partial<Approval> = {}, said?: string, stream = 'demo'): Promise<string> => {
    const what = { ...approval, ...over };
    const taskId = stream === 'demo' ? 'a' : undefined;
    return (await askApproval(project, { stream, taskId, agent, approval: what, said })).id;
  };
  const answerTo = async (id: string) => requestById(await project.refresh(), id)?.answer;
  return { root, project, opened, call, answerTo };
}

const command = {
  server: '@x',
  tool: 'execute',
  isOwn: true,
  args: { command: 'npm test', cwd: 'a' },
} as const;

describe('a program that decides on tool calls', () => {
  it('allows one as somebody has changed it: its command, or all of its arguments', async () => {
    const { opened, call, answerTo } = await setUp();
    const [one, other] = [await call(command), await call({ callDigest: 'other' })];
    const first = await opened.approveEdited(one, { command: 'npm test -- --run' }, 'once is enough');
    expect(first).toEqual({ accepted: true, response: 'once is enough' });
    expect(await answerTo(one)).toMatchObject({
      verdict: 'edited',
      edited: { args: { command: 'npm test -- --run', cwd: 'a' } },
      by: 'ann',
      via: 'api',
    });
    await opened.approveEdited(other, { args: { path: 'docs/notes.txt' } });
    expect((await answerTo(other))?.edited?.args).toEqual({ path: 'docs/notes.txt' });
    expect(await opened.approveEdited(other, { args: { path: 'x' } })).toMatchObject({
      accepted: false,
      by: 'ann',
    });
    expect(await opened.approveEdited('q-none', { command: 'ls' })).toMatchObject({ because: 'unknown' });
  });

  it('leaves one waiting that cannot be what it was changed to', async () => {
    const { root, opened, call, answerTo } = await setUp();
    await writeMcpJson(root, { policy: { denylist: [{ server: 'fs', tool: '*' }] } });
    const id = await call();
    await expect(opened.approveEdited(id, { command: 'ls' })).rejects.toMatchObject({ code: 'EDIT_INVALID' });
    await expect(opened.approveEdited(id, { args: { path: 'b' } })).rejects.toMatchObject({
      code: 'EDIT_DENIED',
    });
    expect(await answerTo(id)).toBeUndefined();
  });

  it('asks about one first, and sees what the agent says when it makes the call again', async () => {
    const { project, opened, call, answerTo } = await setUp();
    const id = await call();
    expect(await opened.explain(id)).toEqual({ accepted: true, response: 'Why do you want this?' });
    expect(await answerTo(id)).toMatchObject({ verdict: 'questioned', by: 'ann', via: 'api' });
    const ended = requestById(project.state, id);
    if (ended) await recordDelivery(project, [ended], agent.id);
    await call({}, 'It is missing.');
    expect((await opened.questions()).map((each) => each.call?.explanation)).toEqual([
      { question: 'Why do you want this?', words: 'It is missing.' },
    ]);
  });

  it('decides on several at once, each of them for itself, in one append', async () => {
    const { project, opened, call, answerTo } = await setUp();
    const ids = [await call(), await call({ callDigest: '2' }), await call({ callDigest: '3' })];
    const [one = '', two = '', three = ''] = ids;
    await deny(project, two, { by: 'bob', via: 'cli' });
    expect(await opened.approveAll([three, 'q-none', two, one, one])).toEqual([
      { accepted: true, response: 'yes' },
      { accepted: false, because: 'unknown' },
      { accepted: false, because: 'answered', by: 'bob', response: 'no' },
      { accepted: true, response: 'yes' },
      { accepted: true, response: 'yes' },
    ]);
    const answers = await eventsOf(project, 'help.answered');
    expect(answers.map(({ data, following }) => [data.requestId, data.scope, following])).toEqual([
      [two, undefined, undefined],
      [three, 'once', 1],
      [one, 'once', undefined],
    ]);
    const more = [await call({ callDigest: '4' }), await call({ callDigest: '5' })];
    await opened.denyAll(more, 'docs/ only');
    for (const id of more)
      expect(await answerTo(id)).toMatchObject({ verdict: 'denied', response: 'docs/ only', via: 'api' });
    expect(await opened.denyAll([])).toEqual([]);
  });

  it('decides on none of several where one is a question, or of another sprint', async () => {
    const { project, opened, call } = await setUp();
    const [here, elsewhere] = [await call(), await call({ callDigest: '2' }, undefined, 'adhoc')];
    const question = await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Why?' });
    await expect(opened.approveAll([here, question.id])).rejects.toMatchObject({ code: 'NOT_AN_APPROVAL' });
    await expect(opened.denyAll([here, elsewhere])).rejects.toMatchObject({
      code: 'CALLS_APART',
      message: `Cannot deny calls of several sprints together: ${here} is of demo, ${elsewhere} of adhoc`,
    });
    expect(await eventsOf(project, 'help.answered')).toEqual([]);
  });
});
