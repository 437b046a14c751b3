import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patchSchema } from '../../../src/web/api/patch.ts';
import { patched } from '../../../src/web/api/patched.ts';
import { patchJson, snapshotOf } from '../../../src/web/server/live/snapshot.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { answerRequest, dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { approval } from '../../helpers/approval.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';
import { served, type Served } from '../../helpers/web-server.ts';
import { readStream, type StreamReader } from '../../helpers/web-stream.ts';

const agent = { id: 'a1', client: 'codex' };
const ann = { by: 'ann', via: 'cli' };

/** What a reader knows, and what one is told who comes now. */
async function known({ ask: get }: Served, reader: StreamReader) {
  const { now: _, ...state } = (await get('/api/state')).json();
  const { now: __, ...told } = reader.last('state') ?? { now: '' };
  const sprint = (await get('/api/sprints/demo')).json();
  return { fresh: { state, sprint }, told: { state: told, sprint: reader.last('sprint') } };
}

/** What may happen in a project, by a number. */
const steps: readonly ((project: Project, at: number) => Promise<unknown>)[] = [
  (project, at) => ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: `${at}?` }),
  (project, at) => ask(project, { stream: 'adhoc', agent, kind: 'help', question: `Outside ${at}?` }),
  (project, at) => {
    const args = { path: `${at}.txt` };
    return askApproval(project, {
      stream: 'demo',
      taskId: at % 2 === 0 ? 'a' : 'b',
      agent,
      approval: { ...approval, args, callDigest: digestOf([args, at]) },
    });
  },
  (project, at) => {
    const open = openRequests(project.state);
    const id = open[at % Math.max(1, open.length)]?.id;
    return id === undefined ? Promise.resolve() : answerRequest(project, id, { ...ann, response: 'no' });
  },
  (project, at) => {
    const open = openRequests(project.state);
    const id = open.at(-1 - (at % Math.max(1, open.length)))?.id;
    return id === undefined ? Promise.resolve() : dismissRequest(project, id, ann);
  },
  (project, at) =>
    project.record('demo', [
      { type: 'task.noted', subject: 'demo/a', data: { by: 'agent', text: String(at) } },
    ]),
  (project) =>
    setTaskStatus(project, { stream: 'demo', taskId: 'b', status: 'active', agent }).catch(() => undefined),
];

describe('what a stream tells of what has changed', () => {
  it('gives a page the state that one has that is loaded anew, whatever happens', async () => {
    const happenings = fc.array(fc.tuple(fc.nat(steps.length - 1), fc.nat(20)), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const place = await served();
        const reader = await readStream(place.server, '?sprint=demo');
        await expect.poll(() => reader.last('sprint')).toBeDefined();
        for (const [at, [step, number]] of all.entries()) {
          await steps[step]?.(place.project, number);
          // Some of it comes together, some by itself.
          if (number % 3 > 0 && at < all.length - 1) continue;
          await expect
            .poll(async () => (await known(place, reader)).told)
            .toEqual((await known(place, reader)).fresh);
        }
        reader.close();
        await place.server.close();
      }),
      { numRuns: propertyRuns(24) },
    );
  });

  it('is as long as what has changed, and not as what waits', async () => {
    const { server, project } = await served();
    for (let at = 0; at < 300; at += 1)
      await ask(project, {
        stream: 'demo',
        agent,
        kind: 'help',
        question: `Which of these is number ${at}?`,
      });
    const reader = await readStream(server);
    await expect.poll(() => reader.last('state')?.questions.length).toBe(300);
    const middle = openRequests(project.state)[150]?.id ?? '';
    await answerRequest(project, middle, { ...ann, response: 'that one' });
    await ask(project, { stream: 'demo', agent, kind: 'help', question: 'One more?' });
    await expect
      .poll(() => reader.last('state')?.questions.map(({ title }) => title))
      .toEqual([
        ...Array.from({ length: 300 }, (_, at) => at)
          .filter((at) => at !== 150)
          .map((at) => `Which of these is number ${at}?`),
        'One more?',
      ]);
    const lengths = (name: string) =>
      reader.messages.filter((each) => each.name === name).map(({ data }) => JSON.stringify(data).length);
    expect(lengths('state')).toEqual([expect.any(Number)]);
    expect(lengths('state')[0]).toBeGreaterThan(60_000);
    expect(Math.max(...lengths('patch'))).toBeLessThan(3_000);
  });

  it('is one list from the other, and everything else beside it', () => {
    const item = fc.record({ id: fc.nat(9), text: fc.constantFrom('a', 'b') });
    const value = fc.record(
      {
        list: fc.array(item, { maxLength: 12 }),
        other: fc.oneof(fc.string(), fc.array(fc.nat(3))),
        gone: fc.nat(2),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, value, (before, now) => {
        const json = patchJson('state', { before: snapshotOf(before), now: snapshotOf(now) });
        const patch = json === undefined ? undefined : patchSchema.parse(JSON.parse(json));
        expect(patch ? patched(before, patch) : before).toEqual(now);
      }),
      { numRuns: propertyRuns(4_000) },
    );
  });

  it('leaves what has not changed the same object, for whoever draws it', () => {
    const before = { list: [{ id: 1 }, { id: 2 }, { id: 3 }], about: { a: 1 } };
    const now = { list: [{ id: 1 }, { id: 4 }, { id: 3 }], about: { a: 1 } };
    const { of: _, ...patch } = patchSchema.parse(
      JSON.parse(patchJson('state', { before: snapshotOf(before), now: snapshotOf(now) }) ?? ''),
    );
    const after = patched(before, patch);
    expect(after).toEqual(now);
    expect(after.list[0]).toBe(before.list[0]);
    expect(after.list[2]).toBe(before.list[2]);
    expect(after.about).toBe(before.about);
  });
});
