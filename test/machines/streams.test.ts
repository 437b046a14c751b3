import { expect, it } from 'vitest';
import { createSprintState } from '../../src/machines/project-state.ts';
import type { SprintState } from '../../src/machines/project-state.ts';
import { Streams } from '../../src/machines/streams.ts';

/** Two streams, one of which sleeps, and how often that was woken. */
function twoStreams() {
  const streams = new Streams<SprintState>();
  const woken: string[] = [];
  for (const id of ['on', 'over']) streams.set(id, createSprintState(id));
  streams.sleep('over', {
    wake: () => {
      woken.push('over');
      return createSprintState('over');
    },
    mentions: (text) => text === 'q-1',
  });
  const places = () => [streams.awake().map(({ id }) => id), [...streams.asleep().keys()]];
  return { streams, woken, places };
}

it('a stream is awake or asleep, never both, and counted once', () => {
  const { streams, places } = twoStreams();
  expect(places()).toEqual([['on'], ['over']]);
  expect([streams.size, streams.has('over'), streams.keys()]).toEqual([2, true, ['on', 'over']]);
  expect(streams.get('over')?.id).toBe('over');
  expect(places()).toEqual([['on', 'over'], []]);
  expect([streams.size, streams.has('over'), streams.keys()]).toEqual([2, true, ['on', 'over']]);
});

it('a sleeping stream is woken once, and only by who asks for it', () => {
  const { streams, woken } = twoStreams();
  expect(streams.get('on')?.id).toBe('on');
  expect(streams.get('nowhere')).toBeUndefined();
  expect(streams.mentioning('q-2').map(({ id }) => id)).toEqual(['on']);
  expect(woken).toEqual([]);
  expect(streams.mentioning('q-1').map(({ id }) => id)).toEqual(['on', 'over']);
  expect(streams.values().map(({ id }) => id)).toEqual(['on', 'over']);
  expect(woken).toEqual(['over']);
});
