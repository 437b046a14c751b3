import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../../src/events/envelope.ts';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { permitCall } from '../../../src/gateway/permission/permit-call.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { openTestProject, projectWithSprint } from '../../helpers/temp-project.ts';
import { acpSprint, done, human, ofType } from '../support/acp-sprint.ts';
import { acpTalk } from '../support/acp-talk.ts';

const cancelled = { outcome: 'cancelled' };
const yes = { outcome: 'selected', optionId: 'yes' };

const run = (toolCallId: string, command: string) => ({
  toolCallId,
  kind: 'execute',
  title: command,
  rawInput: { command },
});

/** An agent, the test, that asks for both of two commands before it has an answer, and a human with a process of their own. */
async function askedForBoth() {
  const { root, project, stream } = await projectWithSprint();
  const deps = {
    project,
    agent: { id: 'run-1', client: 'fake' },
    name: 'fake',
    stream,
    taskId: 'a',
    env: {},
    policy: new HeldPolicy({ root, env: {} }),
  };
  const talk = acpTalk(
    { projectRoot: root },
    { permit: (call, { id, ...known }, signal) => permitCall(call, { callId: id, ...known }, deps, signal) },
  );
  await talk.begin();
  talk.ask('p1', run('c1', 'touch refused'));
  talk.ask('p2', run('c2', 'touch allowed'));
  const [refused, allowed] = await bothOpen(project);
  return { ...talk, project, stream, refused, allowed, person: await openTestProject(root) };
}

async function bothOpen(project: Project): Promise<[refused: RequestState, allowed: RequestState]> {
  return project.until((state) => {
    const open = openRequests(state);
    const of = (what: string) => open.find(({ asked }) => asked.question.includes(what));
    const [refused, allowed] = [of('touch refused'), of('touch allowed')];
    return refused && allowed ? [refused, allowed] : undefined;
  });
}

type Both = Awaited<ReturnType<typeof askedForBoth>>;

const no = ({ person, refused }: Both) => deny(person, refused.id, { ...human, reason: 'not now' });
const allow = ({ person, allowed }: Both) => approve(person, allowed.id, { ...human, scope: 'once' });
/** Both answers in one append: the agent's process hears of them together. */
const together = (order: 'no first' | 'yes first') => async (both: Both) => {
  const { person, stream, refused, allowed } = both;
  const answers = [
    { requestId: refused.id, response: 'not now', verdict: 'denied', ...human },
    { requestId: allowed.id, response: 'yes', verdict: 'approved', scope: 'once', ...human },
  ] as const;
  const said = order === 'no first' ? answers : answers.toReversed();
  const subject = subjectOf(stream, 'a');
  await person.dispatch(stream, () => said.map((data) => ({ type: 'help.answered', subject, data })));
};

describe('of two calls that an agent asks for at once, a human refuses one and allows the other', () => {
  it.each([
    ['no, then yes', async (both: Both) => void (await no(both), await allow(both))],
    ['yes, then no', async (both: Both) => void (await allow(both), await no(both))],
    ['at once, by two people', async (both: Both) => void (await Promise.all([no(both), allow(both)]))],
    ['together, the no first', together('no first')],
    ['together, the yes first', together('yes first')],
  ])(
    '%s: the yes serves one call that its agent was told of, and nobody is asked twice',
    async (_how, decide) => {
      const both = await askedForBoth();
      const { ask, answer, outcomeOf, request, project, allowed } = both;
      const decided = decide(both);
      await request('session/cancel');
      await answer('session/prompt', { stopReason: 'cancelled' });
      expect(await outcomeOf('p1')).toEqual(cancelled);
      const first = await outcomeOf('p2');
      await decided;
      const next = (await request('session/prompt', 2)).params?.prompt?.[0]?.text;
      expect(next).toContain('- touch refused: ');
      const wasTold = first?.outcome === 'selected';
      expect(next?.includes('make exactly the same call again:\n- touch allowed')).toBe(!wasTold);
      if (!wasTold) ask('p3', run('c3', 'touch allowed'));
      expect(await outcomeOf(wasTold ? 'p2' : 'p3')).toEqual(yes);
      const usedBy = project.state.streams.get('demo')?.requests.get(allowed.id)?.usedBy;
      expect(usedBy).toBe(wasTold ? 'c2' : 'c3');
      expect(ofType(await eventsOf(project), 'help.requested')).toHaveLength(2);
      // A yes that was used is over.
      ask('p4', run('c4', 'touch allowed'));
      expect(await bothAgain(project)).toHaveLength(1);
      await answer('session/prompt', { stopReason: 'end_turn' }, 2);
    },
  );
});

function bothAgain(project: Project): Promise<readonly RequestState[]> {
  return project.until((state) => {
    const open = openRequests(state);
    return open.length > 0 ? open : undefined;
  });
}

it('a yes that comes after the turn was broken off is used when the agent asks for the same again', async () => {
  const { root, project, has, prompts } = await acpSprint([
    { atOnce: [{ run: 'touch refused' }, { run: 'touch allowed' }] },
    { run: 'touch allowed' },
  ]);
  const { ended } = startRun(root, {});
  const [refused, allowed] = await bothOpen(project);
  await deny(project, refused.id, human);
  await project.until(({ streams }) =>
    streams.get('demo')?.requests.get(allowed.id)?.detached.length ? true : undefined,
  );
  await approve(project, allowed.id, { ...human, scope: 'once' });
  expect(await ended).toEqual(done);
  expect([has('refused'), has('allowed')]).toEqual([false, true]);
  expect(ofType(await eventsOf(project), 'help.requested')).toHaveLength(2);
  expect((await prompts()).at(-1)).toContain('only broken off');
});
