import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../../src/machines/status-words.ts';
import { TaskMoves } from '../../../src/workflow/history/task-moves.ts';
import { History, on } from '../../helpers/history.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';
import { build, histories } from '../../helpers/random-history.ts';
import { logOf } from '../../helpers/stored-events.ts';

const tasks = [{ id: 'parser', file: 'parser.md' }];

describe('the transitions of a task', () => {
  it('are those that its events led to, until the version that is asked for, and what has come since', async () => {
    const history = new History(
      on('demo', 'sprint.created', { tasks }),
      on('demo', 'sprint.started', {}),
      on('demo/parser', 'task.started', { attempt: 1, runId: 'run-1' }),
      on('demo/parser', 'agent.connected', { runId: 'run-1' }),
    );
    const moves = new TaskMoves(logOf(history.events), 'demo');
    const began = { version: 3, event: 'task.started', from: 'pending', to: 'active.starting' };
    expect(await moves.until(3, 'parser')).toMatchObject([began]);
    const connected = { event: 'agent.connected', from: 'active.starting', to: 'active.working' };
    expect(await moves.until(4, 'parser')).toMatchObject([began, connected]);
    history.add(on('demo/parser', 'task.failed', { runId: 'run-1' }));
    history.add(on('demo', 'sprint.cancelled'));
    expect((await moves.until(Infinity, 'parser')).map(({ to }) => to)).toEqual([
      'active.starting',
      'active.working',
      'done.failed',
      'done.cancelled',
    ]);
    expect(await moves.until(4, 'nobody')).toEqual([]);
  });

  it('lead to the state that the fold comes to, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const { events, state } = build(steps);
        const moves = new TaskMoves(logOf(events), 'demo');
        for (const { id, machine } of state.streams.get('demo')?.tasks.values() ?? []) {
          const taken = await moves.until(Infinity, id);
          expect(taken.at(-1)?.to ?? 'pending').toBe(nameOf(machine.value));
          for (const [at, { from }] of taken.entries()) expect(from).toBe(taken[at - 1]?.to ?? 'pending');
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
