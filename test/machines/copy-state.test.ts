import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { copyKept, copyState, keepState } from '../../src/machines/copy-state.ts';
import type { KeptState } from '../../src/machines/copy-state.ts';
import { applyEvent } from '../../src/machines/fold.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import { approval } from '../helpers/approval.ts';
import { History, on } from '../helpers/history.ts';
import { propertyRuns } from '../helpers/property-runs.ts';
import { build, histories } from '../helpers/random-history.ts';
import { foldedFrom, saidBy } from '../helpers/said-by-state.ts';

/** All that the fold changes in place, one after the other. */
const everything = new History(
  on('demo', 'sprint.created', { tasks: ['a', 'b'].map((id) => ({ id, file: `${id}.md` })) }),
  on('demo', 'sprint.started', { maxAttempts: 3 }),
  on('demo/a', 'task.started', { attempt: 1, runId: 'run-1' }),
  on('demo/a', 'agent.started', { runId: 'run-1', attempt: 1 }),
  on('demo/a', 'agent.connected', { runId: 'run-1' }),
  on('demo/a', 'help.requested', { requestId: 'q-1', origin: { agent: 'run-1' } }),
  on('demo/a', 'help.detached', { requestId: 'q-1', agent: 'run-1' }),
  on('demo/a', 'help.attached', { requestId: 'q-1', agent: 'run-1' }),
  on('demo/a', 'help.detached', { requestId: 'q-1', agent: 'run-2' }),
  on('demo/a', 'help.attached', { requestId: 'q-1', agent: 'run-2' }),
  on('demo/a', 'help.attached', { requestId: 'q-1', agent: 'run-3' }),
  on('demo/a', 'help.detached', { requestId: 'q-1', agent: 'run-2' }),
  on('demo/a', 'help.attached', { requestId: 'q-1', agent: 'run-4' }),
  on('demo/a', 'help.answered', { requestId: 'q-1' }),
  on('demo/a', 'help.delivered', { requestId: 'q-1', to: 'run-1' }),
  on('demo/a', 'help.delivered', { requestId: 'q-1', to: 'run-3' }),
  on('demo/a', 'help.requested', { requestId: 'q-2', kind: 'approval', approval }),
  on('demo/a', 'help.answered', { requestId: 'q-2', verdict: 'approved', scope: 'once' }),
  on('demo/a', 'tool.allowed', { callId: 'c-1', by: 'me', requestId: 'q-2' }),
  on('demo/a', 'tool.withheld', { callId: 'c-1', requestId: 'q-2' }),
  on('demo/a', 'task.retried', { attempt: 2 }),
  on('demo/b', 'task.skipped'),
  on('demo/b', 'task.reset'),
  on('demo/a', 'help.delivered', { requestId: 'q-1', to: 'run-9' }),
  on('demo/a', 'task.completed'),
  on('demo', 'sprint.amended', { tasks: ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` })) }),
  on('demo', 'sprint.paused'),
).events;

/** Keeps the state after every event, each beside the one before, and says what all of them say in the end. */
function keptAll(events: readonly StoredEvent[]): unknown[] {
  const state = createProjectState();
  const kept: KeptState[] = [];
  for (const event of events) {
    applyEvent(state, event);
    const next = keepState(state, 'demo', kept.at(-1));
    if (next) kept.push(next);
  }
  return kept.map((each) => saidBy(copyKept(each)));
}

/** Says what a copy of the state after some events says after all of them were applied to the other. */
function copiedAfter(events: readonly StoredEvent[], count: number): unknown {
  const state = createProjectState();
  for (const event of events.slice(0, count)) applyEvent(state, event);
  const copy = copyState(state);
  for (const event of events.slice(count)) applyEvent(state, event);
  return saidBy(copy);
}

const prefixes = (events: readonly StoredEvent[]) => events.map((_, n) => foldedFrom(events.slice(0, n + 1)));

describe('copies of a state', () => {
  it('do not notice what becomes of the other', () => {
    const copies = everything.map((_, n) => copiedAfter(everything, n + 1));
    expect(copies).toEqual(prefixes(everything));
  });

  it('that are kept share what is as it was, and nothing else', () => {
    expect(keptAll(everything)).toEqual(prefixes(everything));
    const state = createProjectState();
    const [first, ...others] = everything;
    if (first) applyEvent(state, first);
    const before = keepState(state, 'demo');
    for (const event of others.slice(0, 2)) applyEvent(state, event);
    const after = keepState(state, 'demo', before);
    expect(after?.tasks[0]?.map((task, n) => task === before?.tasks[0]?.[n])).toEqual([false, false]);
    const again = keepState(state, 'demo', after);
    expect(again?.tasks[0]?.map((task, n) => task === after?.tasks[0]?.[n])).toEqual([true, true]);
    expect(keepState(state, 'nobody')).toBeUndefined();
  });

  it('that are kept do not notice any event that is folded on in their copies', () => {
    const kept = everything.map((_, n) => {
      const state = createProjectState();
      for (const event of everything.slice(0, n + 1)) applyEvent(state, event);
      const put = keepState(state, 'demo');
      if (!put) throw new Error('nothing was kept');
      const copy = copyKept(put);
      for (const event of everything.slice(n + 1)) applyEvent(copy, event);
      return put;
    });
    expect(kept.map((each) => saidBy(copyKept(each)))).toEqual(prefixes(everything));
  });

  it('that are kept do not notice what is folded on in their copies', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (steps, where) => {
        const { events } = build(steps);
        const count = (where % events.length) + 1;
        const state = createProjectState();
        for (const event of events.slice(0, count)) applyEvent(state, event);
        const kept = keepState(state, 'demo');
        if (!kept) throw new Error('nothing was kept');
        for (const _ of ['once', 'again']) {
          const copy = copyKept(kept);
          for (const event of events.slice(count)) applyEvent(copy, event);
          expect(saidBy(copy)).toEqual(foldedFrom(events));
        }
        expect(saidBy(copyKept(kept))).toEqual(foldedFrom(events.slice(0, count)));
        expect(keptAll(events)).toEqual(prefixes(events));
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});
