import fc from 'fast-check';
import { expect, it } from 'vitest';
import { askedCallsOf, lastOfCall } from '../../src/machines/asked-calls.ts';
import { copyKept, copyState, keepState } from '../../src/machines/copy-state.ts';
import { fromSnapshot, toSnapshot } from '../../src/machines/project-snapshot.ts';
import type { SprintState } from '../../src/machines/project-state.ts';
import { approval } from '../helpers/approval.ts';
import { History, on } from '../helpers/history.ts';
import { propertyRuns } from '../helpers/property-runs.ts';

const digests = ['one', 'two', 'three'];
const definitions = ['definition-1', 'definition-2'];
const tasks = [undefined, 'a', 'b'];

/** A call that is asked about, or one that waits which a human allows, or makes another one of. */
const step = fc.record({
  callDigest: fc.constantFrom(...digests),
  definitionDigest: fc.constantFrom(...definitions),
  task: fc.constantFrom(...tasks),
  answers: fc.option(fc.nat(9), { nil: undefined }),
});

function historyOf(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): History {
  const history = new History(
    on('demo', 'sprint.created', { tasks: ['a', 'b'].map((id) => ({ id, file: `${id}.md` })) }),
  );
  for (const [n, { answers, callDigest, task, definitionDigest }] of steps.entries()) {
    const asked = { ...approval, callDigest, definitionDigest };
    if (answers === undefined)
      history.add(
        on('demo', 'help.requested', { requestId: `q-${n}`, kind: 'approval', task, approval: asked }),
      );
    else {
      const edited = { args: {}, callDigest };
      history.add(on('demo', 'help.answered', { requestId: `q-${answers}`, verdict: 'edited', edited }));
    }
  }
  return history;
}

/** The same, found by looking through all. */
function searched({ requests }: SprintState, callDigest: string, definitionDigest: string, task?: string) {
  return [...requests.values()].findLast(
    ({ asked, answer }) =>
      [asked.approval?.callDigest, answer?.edited?.callDigest].includes(callDigest) &&
      asked.approval?.definitionDigest === definitionDigest &&
      asked.task === task,
  )?.id;
}

it('finds the last request about a call, as looking through all of them does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const sprint = historyOf(steps).sprint();
      for (const callDigest of digests)
        for (const definitionDigest of definitions)
          for (const task of tasks)
            expect(lastOfCall(sprint, { callDigest, definitionDigest, task })?.id).toBe(
              searched(sprint, callDigest, definitionDigest, task),
            );
    }),
    { numRuns: propertyRuns(400) },
  );
});

it('finds the one that was asked later, not the one that a human made into the same call after that', () => {
  const call = { definitionDigest: 'definition-1', task: undefined };
  const sprint = historyOf([
    { ...call, callDigest: 'one', answers: undefined },
    { ...call, callDigest: 'two', answers: undefined },
    { ...call, callDigest: 'two', answers: 0 },
    { ...call, callDigest: 'three', answers: 1 },
  ]).sprint();
  expect(lastOfCall(sprint, { ...call, callDigest: 'two' })?.id).toBe('q-1');
  expect(lastOfCall(sprint, { ...call, callDigest: 'three' })?.id).toBe('q-1');
});

it('is there in every copy of a state, and in what was saved of it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { state } = historyOf(steps);
      const kept = keepState(state, 'demo');
      const sprint = state.streams.get('demo');
      if (!kept || !sprint) throw new Error('no sprint');
      const saved = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(sprint))));
      const others = [copyState(state).streams.get('demo'), copyKept(kept).streams.get('demo'), saved];
      for (const other of others) expect(other?.askedCalls).toEqual(sprint.askedCalls);
      expect(askedCallsOf(sprint.requests)).toEqual(sprint.askedCalls);
    }),
    { numRuns: propertyRuns(400) },
  );
});

it('looks through none of the earlier requests for a call', () => {
  const sprint = historyOf(
    Array.from({ length: 3 }, () => ({
      callDigest: 'one',
      definitionDigest: 'definition-1',
      task: undefined,
      answers: undefined,
    })),
  ).sprint();
  const looksThrough = (): never => {
    throw new Error('it looks through all');
  };
  Object.assign(sprint.requests, { values: looksThrough, keys: looksThrough, forEach: looksThrough });
  Object.assign(sprint.requests, { entries: looksThrough, [Symbol.iterator]: looksThrough });
  expect(lastOfCall(sprint, { ...approval, callDigest: 'one', definitionDigest: 'definition-1' })?.id).toBe(
    'q-2',
  );
  expect(lastOfCall(sprint, { ...approval, callDigest: 'two' })).toBeUndefined();
});
