import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../src/machines/fold.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import {
  fromSnapshot,
  pinsFromSnapshot,
  pinsToSnapshot,
  projectWideShape,
  toSnapshot,
} from '../../src/machines/project-snapshot.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import type { ProjectState } from '../../src/machines/project-state.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { on } from '../helpers/history.ts';
import type { History } from '../helpers/history.ts';
import { build, histories, verdictFor } from '../helpers/random-history.ts';

type Saved = Readonly<Record<'limits' | 'policyRules' | 'pins', unknown>> & {
  readonly streams: readonly unknown[];
};

const json = ({ streams, limits, policyRules, pins }: ProjectState): Saved =>
  JSON.parse(
    JSON.stringify({
      streams: streams.values().map(toSnapshot),
      limits,
      policyRules,
      pins: pinsToSnapshot(pins),
    }),
  );

function restore({ streams: snapshots, limits, policyRules, pins }: Saved): ProjectState {
  const state = createProjectState({
    limits: projectWideShape().limits.parse(limits),
    policyRules: projectWideShape().policyRules.parse(policyRules),
    pins: pinsFromSnapshot(projectWideShape().pins.parse(pins)),
  });
  for (const sprint of snapshots.map(fromSnapshot)) state.streams.set(sprint.id, sprint);
  return state;
}

const runs = { numRuns: 300 };

describe('random histories of legal events', () => {
  it('lead to the same state when they are replayed', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const history = build(steps);
        const again = createProjectState();
        for (const event of history.events) applyEvent(again, event);
        expect(json(again)).toEqual(json(history.state));
      }),
      runs,
    );
  });

  it('can be cut anywhere: a restored prefix goes on as if nothing had happened', () => {
    fc.assert(
      fc.property(histories, fc.double({ min: 0, max: 1, noNaN: true }), (steps, where) => {
        const history = build(steps);
        const cut = Math.floor(where * history.events.length);
        const prefix = createProjectState();
        for (const event of history.events.slice(0, cut)) applyEvent(prefix, event);
        const restored = restore(json(prefix));
        for (const event of history.events.slice(cut)) applyEvent(restored, event);
        expect(json(restored)).toEqual(json(history.state));
      }),
      runs,
    );
  });

  it('count the tasks right', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { tally, machine, tasks: all } = build(steps).sprint();
        const names = [...all.values()].map((task) => nameOf(task.machine.value));
        const outer = (word: string) => names.filter((name) => name.split('.')[0] === word).length;
        const failed = names.filter((name) => name === 'done.failed').length;
        expect(tally).toEqual({
          pending: outer('pending'),
          active: outer('active'),
          blocked: outer('blocked'),
          failed,
          ended: outer('done') - failed,
        });
        const { pending, active, blocked } = tally;
        const stuck = blocked > 0 && active === 0;
        const holds: Record<string, boolean> = {
          blocked: stuck,
          'active.running': !stuck,
          'done.completed': pending + active + blocked + failed === 0,
        };
        expect(holds[nameOf(machine.value)] ?? true).toBe(true);
      }),
      runs,
    );
  });

  it('block a task exactly while one of its requests is open', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const sprint = build(steps).sprint();
        for (const { id, machine } of sprint.tasks.values()) {
          const open = [...sprint.requests.values()].filter((r) => r.phase === 'open' && r.taskId === id);
          expect(machine.context.open.map(({ requestId }) => requestId)).toEqual(open.map((r) => r.id));
          expect(nameOf(machine.value).startsWith('blocked')).toBe(open.length > 0);
        }
      }),
      runs,
    );
  });

  it('never lead into a state without a way out', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const history = build(steps);
        bringHome(history);
        expect(nameOf(history.sprint().machine.value)).toMatch(/^done\.(completed|cancelled)$/);
        expect([...history.sprint().requests.values()].filter(({ phase }) => phase === 'open')).toEqual([]);
      }),
      runs,
    );
  });
});

/** Brings any sprint to its end as a runner and a human would. Each step has to be legal. */
function bringHome(history: History): void {
  const must = (next: Candidate) =>
    expect(history.add(next), `${next.type} on ${next.subject}`).toEqual({ legal: true });
  const sprintName = () => nameOf(history.sprint().machine.value);
  const answerAll = () => {
    for (const { id, phase, taskId } of history.sprint().requests.values()) {
      const subject = taskId === undefined ? 'demo' : `demo/${taskId}`;
      if (phase === 'open') must(on(subject, 'help.answered', { requestId: id, ...verdictFor(id) }));
    }
  };
  // A question to a sprint that is over can still be answered.
  if (sprintName() === 'done.cancelled' || sprintName() === 'done.completed') return answerAll();
  for (const { id, machine } of history.sprint().tasks.values()) {
    if (nameOf(machine.value) === 'done.failed') must(on(`demo/${id}`, 'task.reset'));
  }
  if (['pending', 'done.failed'].includes(sprintName())) must(on('demo', 'sprint.started'));
  if (sprintName() === 'active.paused') must(on('demo', 'sprint.resumed'));
  answerAll();
  for (const { id, machine } of history.sprint().tasks.values()) {
    const subject = `demo/${id}`;
    if (nameOf(machine.value).startsWith('done.')) continue;
    const { runId, attempt } = machine.context;
    if (runId !== null) must(on(subject, 'agent.lost', { runId }));
    must({ type: 'task.started', subject, data: { attempt: attempt + 1, by: 'x', runId: 'run-9' } });
    must({ type: 'task.completed', subject, data: { by: 'x', runId: 'run-9' } });
  }
  must(on('demo', 'sprint.completed'));
}
