import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { ProjectState } from '../../src/machines/project-state.ts';
import { isSameState } from '../../src/workflow/project/same-state.ts';
import { loadSnapshot, saveSnapshot } from '../../src/workflow/project/snapshot-cache.ts';
import { build, histories } from '../helpers/random-history.ts';

/** Everything in it, as values that can be compared: machines by where they stand. */
const plain = (state: ProjectState) => ({
  ...state,
  streams: state.streams.values().map((sprint) => ({
    ...sprint,
    machine: sprint.machine.toJSON(),
    tasks: [...sprint.tasks.values()].map((task) => ({ ...task, machine: task.machine.toJSON() })),
    requests: [...sprint.requests.values()],
  })),
});

it('a snapshot brings back the state of any history, and the place it was made at', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'cache', 'state.json');
  const nothingToRead = () => {
    throw new Error('The log was read: the snapshot has not kept everything');
  };
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const { state, events } = build(steps);
      const heads = { demo: { version: events.length, hash: 'h' } };
      const checkpoint = { token: 'here', events: events.length, heads };
      await saveSnapshot(path, { state, checkpoint });
      const loaded = loadSnapshot(path, nothingToRead);
      expect(loaded?.checkpoint).toEqual(checkpoint);
      expect(loaded && plain(loaded.state)).toEqual(plain(state));
      expect(loaded && isSameState(loaded.state, state)).toBe(true);
    }),
    { numRuns: 100 },
  );
});
