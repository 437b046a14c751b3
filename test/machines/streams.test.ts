import { expect, it } from 'vitest';
import { createSprintState } from '../../src/machines/project-state.ts';
import type { SprintState } from '../../src/machines/project-state.ts';
import { Streams } from '../../src/machines/streams.ts';

/** Two streams, one of which is compressed, and how often that was restored. */
function twoStreams() {
  const streams = new Streams<SprintState>();
  const restored: string[] = [];
  for (const id of ['on', 'over']) streams.set(id, createSprintState(id));
  streams.compress('over', {
    restore: () => {
      restored.push('over');
      return createSprintState('over');
    },
    mentions: (text) => text === 'q-1',
  });
  const places = () => [streams.loaded().map(({ id }) => id), [...streams.compressed().keys()]];
  return { streams, restored, places };
}

it('a stream is loaded or compressed, never both, and counted once', () => {
  const { streams, places } = twoStreams();
  expect(places()).toEqual([['on'], ['over']]);
  expect([streams.size, streams.has('over'), streams.keys()]).toEqual([2, true, ['on', 'over']]);
  expect(streams.get('over')?.id).toBe('over');
  expect(places()).toEqual([['on', 'over'], []]);
  expect([streams.size, streams.has('over'), streams.keys()]).toEqual([2, true, ['on', 'over']]);
});

it('a compressed stream is restored once, and only by who asks for it', () => {
  const { streams, restored } = twoStreams();
  expect(streams.get('on')?.id).toBe('on');
  expect(streams.get('nowhere')).toBeUndefined();
  expect(streams.mentioning('q-2').map(({ id }) => id)).toEqual(['on']);
  expect(restored).toEqual([]);
  expect(streams.mentioning('q-1').map(({ id }) => id)).toEqual(['on', 'over']);
  expect(streams.values().map(({ id }) => id)).toEqual(['on', 'over']);
  expect(restored).toEqual(['over']);
});
