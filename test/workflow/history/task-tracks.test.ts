import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../../src/machines/status-words.ts';
import { TaskTracks, TracksOfNow } from '../../../src/workflow/history/task-tracks.ts';
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
    const log = new TracksOfNow(logOf(history.events), 'demo');
    const moves = async (task: string, until: number) => (await log.read()).moves(task, until);
    const began = { version: 3, event: 'task.started', from: 'pending', to: 'active.starting' };
    expect(await moves('parser', 3)).toMatchObject([began]);
    const connected = { event: 'agent.connected', from: 'active.starting', to: 'active.working' };
    expect(await moves('parser', 4)).toMatchObject([began, connected]);
    history.add(on('demo/parser', 'task.failed', { runId: 'run-1' }));
    history.add(on('demo', 'sprint.cancelled'));
    expect((await moves('parser', Infinity)).map(({ to }) => to)).toEqual([
      'active.starting',
      'active.working',
      'done.failed',
      'done.cancelled',
    ]);
    expect(await moves('nobody', 4)).toEqual([]);
  });

  it('lead to the state that the fold comes to, one after the other', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { events, state } = build(steps);
        const tracks = new TaskTracks();
        for (const event of events) tracks.take(event);
        for (const { id, machine } of state.streams.get('demo')?.tasks.values() ?? []) {
          const taken = tracks.moves(id, Infinity);
          expect(taken.at(-1)?.to ?? 'pending').toBe(nameOf(machine.value));
          for (const [at, { from }] of taken.entries()) expect(from).toBe(taken[at - 1]?.to ?? 'pending');
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

it('the agents that were started for a task are known by who they are, until the version that is asked for', () => {
  const tracks = new TaskTracks();
  const { events } = new History(
    on('demo', 'sprint.created', { tasks }),
    on('demo', 'sprint.started', {}),
    on('demo/parser', 'task.started', { attempt: 1, runId: 'run-1' }),
    on('demo/parser', 'agent.started', {
      attempt: 1,
      runId: 'run-1',
      agent: 'opencode',
      transcript: 'a.cast',
    }),
    on('demo/parser', 'agent.started', { attempt: 1, runId: 'run-9', argv: ['/bin/codex', 'exec'] }),
    on('demo/parser', 'agent.started', { attempt: 1, runId: 'run-a', adapter: 'claude' }),
    on('demo/parser', 'agent.started', { attempt: 1, runId: 'run-b', speaks: true }),
  );
  for (const event of events) tracks.take(event);
  expect(tracks.runs('parser', 2)).toEqual([]);
  expect(tracks.runs('parser', 3)).toMatchObject([{ attempt: 1, agent: 'opencode', transcript: 'a.cast' }]);
  expect(tracks.runs('parser', 5).map(({ agent, version }) => [agent, version])).toEqual([
    ['opencode', 3],
    ['codex', 5],
  ]);
  expect(tracks.runs('parser', 7).map(({ speaks }) => speaks)).toEqual([false, false, true, true]);
});
