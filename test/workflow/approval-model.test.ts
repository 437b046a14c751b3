import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/events/approval.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { approve, askApproval, claimApproval, deny } from '../../src/workflow/requests/approval.ts';
import { openRequests, requestById } from '../../src/workflow/requests/find-request.ts';
import { approval } from '../helpers/approval.ts';
import { tempRoot } from '../helpers/temp-project.ts';

/** What an agent calls: its arguments and the definition of the tool, each one of two. */
const someCall = fc.record({
  callDigest: fc.constantFrom('call-1', 'call-2'),
  definitionDigest: fc.constantFrom('definition-1', 'definition-1', 'definition-1', 'definition-2'),
});
type Call = typeof someCall extends fc.Arbitrary<infer C> ? C : never;

const step = fc.oneof(
  fc.record({
    do: fc.constant('call' as const),
    call: someCall,
    who: fc.constantFrom('ann' as const, 'bob' as const),
  }),
  fc.record({
    do: fc.constantFrom('approve' as const, 'deny' as const, 'say yes' as const),
    which: fc.nat(1),
  }),
);

const named = ({ callDigest, definitionDigest }: Pick<Approval, keyof Call>) =>
  `${callDigest} ${definitionDigest}`;

/** A call that has asked, and waits. */
type Waiting = {
  readonly project: Project;
  readonly callId: string;
  readonly call: Call;
  readonly id: string;
};

async function ask(project: Project, call: Call, callId: string, who: string): Promise<Waiting> {
  const asked = { ...approval, ...call, callId };
  const { id } = await askApproval(project, { stream: 'adhoc', agent: { id: who }, approval: asked });
  return { project, callId, call, id };
}

/** All calls whose request has ended go on at once, as in their processes. Returns what ran, and who still waits. */
async function goOn(waiting: readonly Waiting[]): Promise<{ ran: string[]; still: Waiting[] }> {
  const ends = await Promise.all(
    waiting.map(async ({ project, id, callId, call }) => {
      const request = requestById(await project.refresh(), id);
      if (request?.phase === 'open') return 'waits';
      return request && (await claimApproval(project, request, callId)) ? named(call) : 'refused';
    }),
  );
  return {
    ran: ends.filter((end) => end !== 'waits' && end !== 'refused'),
    still: waiting.filter((_, at) => ends[at] === 'waits'),
  };
}

async function decide(
  project: Project,
  how: 'approve' | 'deny' | 'say yes',
  which: number,
): Promise<string[]> {
  const request = openRequests(await project.refresh())[which];
  if (!request?.asked.approval) return [];
  const me = { by: 'me', via: 'test' };
  if (how === 'deny') await deny(project, request.id, me);
  else if (how === 'approve') await approve(project, request.id, { ...me, scope: 'once' });
  else await answerRequest(project, request.id, { ...me, response: 'yes' });
  return how === 'deny' ? [] : [named(request.asked.approval)];
}

describe('a yes to one call', () => {
  it('never serves another, nor a second one, in whatever order two processes call and a human decides', async () => {
    let served = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const root = await tempRoot();
        const open = () => openProject({ root, source: '/clifford/mcp', env: {} });
        const projects = { ann: await open(), bob: await open() };
        const yes: string[] = [];
        const ran: string[] = [];
        let waiting: Waiting[] = [];
        for (const [at, each] of steps.entries()) {
          if (each.do === 'call') waiting.push(await ask(projects[each.who], each.call, `c-${at}`, each.who));
          else yes.push(...(await decide(projects.ann, each.do, each.which)));
          const next = await goOn(waiting);
          waiting = next.still;
          ran.push(...next.ran);
          const times = (list: readonly string[], name: string) => list.filter((one) => one === name).length;
          for (const name of ran) expect(times(ran, name)).toBeLessThanOrEqual(times(yes, name));
        }
        served += ran.length;
        await Promise.all(Object.values(projects).map((project) => project.close()));
      }),
      { numRuns: 25 },
    );
    expect(served).toBeGreaterThan(20);
  });
});
