import { expect, it } from 'vitest';
import type { RequestState } from '../../src/machines/project-state.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { askApproval, claimApproval, deny } from '../../src/workflow/requests/approval.ts';
import { decideAll } from '../../src/workflow/requests/decide-all.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { replyText } from '../../src/workflow/requests/reply-text.ts';
import { approval } from '../helpers/approval.ts';
import { openTestProject, projectWithSprint } from '../helpers/temp-project.ts';
import { eventsOf } from '../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const allow = { ...human, verdict: 'approved' } as const;
const refuse = { ...human, verdict: 'denied' } as const;

const asked = (project: Project, callDigest: string) =>
  askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'run-1' },
    approval: { ...approval, callDigest },
  });

it('calls that are allowed together have an event each, in one append, and each yes serves one call', async () => {
  const { project } = await projectWithSprint();
  const calls = [await asked(project, '1'), await asked(project, '2'), await asked(project, '3')];
  const { decided, lost } = await decideAll(project, calls, allow);
  expect([decided.map(({ id }) => id), lost]).toEqual([calls.map(({ id }) => id), []]);
  const events = await eventsOf(project, 'help.answered');
  const [first] = events;
  expect(events.map(({ data }) => data.requestId)).toEqual(calls.map(({ id }) => id));
  // Nothing stands between those that were appended together.
  const versions = events.map(({ streamversion }) => streamversion - (first?.streamversion ?? 0));
  expect(versions).toEqual([0, 1, 2]);
  for (const call of decided) {
    expect(await claimApproval(project, call, `of ${call.id}`)).toBe(true);
    expect(await claimApproval(project, call, 'another')).toBe(false);
  }
});

it('what somebody has decided meanwhile is left out', async () => {
  const { root, project } = await projectWithSprint();
  const calls = [await asked(project, '1'), await asked(project, '2')];
  const other = await openTestProject(root);
  await deny(other, calls[0]?.id ?? '', { by: 'bob', via: 'tui' });
  const { decided, lost } = await decideAll(project, calls, allow);
  expect(decided.map(({ id }) => id)).toEqual([calls[1]?.id]);
  expect(lost.map(({ answer }) => answer)).toMatchObject([{ verdict: 'denied', by: 'bob' }]);
  expect(await decideAll(project, calls, allow)).toMatchObject({ decided: [] });
  expect(await eventsOf(project, 'help.answered')).toHaveLength(2);
});

it('people who allow them at once allow each of them once', async () => {
  const { root, project } = await projectWithSprint();
  const calls: RequestState[] = [];
  for (let at = 0; at < 6; at += 1) calls.push(await asked(project, `${at}`));
  const others = await Promise.all([1, 2, 3].map(() => openTestProject(root)));
  const ends = await Promise.all(
    others.map((each, at) => decideAll(each, at === 0 ? calls.slice(0, 4) : calls, allow)),
  );
  expect(ends.flatMap(({ decided }) => decided)).toHaveLength(6);
  expect(await eventsOf(project, 'help.answered')).toHaveLength(6);
});

it('calls that are denied together are none of them made, and each agent reads the reason', async () => {
  const { project } = await projectWithSprint();
  const calls = [await asked(project, '1'), await asked(project, '2')];
  const { decided } = await decideAll(project, calls, { ...refuse, response: 'A human pushes' });
  const events = await eventsOf(project, 'help.answered');
  const [first] = events;
  expect(events.map(({ data, following }) => [data.requestId, data.verdict, data.scope, following])).toEqual([
    [calls[0]?.id, 'denied', undefined, 1],
    [calls[1]?.id, 'denied', undefined, undefined],
  ]);
  expect(first?.data).toMatchObject({ response: 'A human pushes', ...human });
  for (const call of decided) {
    expect(await claimApproval(project, call, `of ${call.id}`)).toBe(false);
    expect(replyText(call)).toContain('Reason: A human pushes.');
  }
});

it('a yes to some and a no to others at once: each call has one word', async () => {
  const { root, project } = await projectWithSprint();
  const calls: RequestState[] = [];
  for (let at = 0; at < 4; at += 1) calls.push(await asked(project, `${at}`));
  const other = await openTestProject(root);
  const ends = await Promise.all([decideAll(project, calls, allow), decideAll(other, calls, refuse)]);
  const won = ends.map(({ decided }) => decided.length);
  // All or none.
  expect(won.toSorted((a, b) => a - b)).toEqual([0, 4]);
  const verdicts = (await eventsOf(project, 'help.answered')).map(({ data }) => data.verdict);
  expect(new Set(verdicts)).toEqual(new Set([won[0] === 4 ? 'approved' : 'denied']));
});

it('questions are none of them', async () => {
  const { project } = await projectWithSprint();
  const call = await asked(project, '1');
  const question = await ask(project, { stream: 'demo', agent: { id: 'x' }, kind: 'help', question: 'Why?' });
  await expect(decideAll(project, [call, question], allow)).rejects.toMatchObject({
    code: 'NOT_AN_APPROVAL',
  });
  expect(await eventsOf(project, 'help.answered')).toEqual([]);
  expect(await decideAll(project, [], allow)).toEqual({ decided: [], lost: [] });
});
