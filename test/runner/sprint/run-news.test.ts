import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { RunNews } from '../../../src/runner/sprint/run-news.ts';
import type { SprintRunnerEvents } from '../../../src/runner/sprint/runner-events.ts';

/** What a run tells its listeners, each as the name of the event and what comes with it. */
function listened() {
  const listeners = new EventEmitter<SprintRunnerEvents>();
  const told: unknown[] = [];
  for (const name of ['problem', 'silence', 'paused', 'wait'] as const)
    listeners.on(name, (said: unknown) => void told.push([name, said]));
  return { news: new RunNews('demo', listeners), told };
}

it('a file that cannot be written is told of once, and again where it could be written meanwhile', () => {
  const { news, told } = listened();
  for (const problems of [['a'], ['a'], ['a', 'b'], [], ['a']]) news.unwritten(problems);
  expect(told).toEqual(['a', 'b', 'a'].map((problem) => ['problem', problem]));
});

it('what is waited for is told of when it is something else than before', () => {
  const { news, told } = listened();
  const limit = { do: 'wait', for: 'limit', taskId: 'a', why: 'used up', until: 5 } as const;
  const pause = { do: 'wait', for: 'resume' } as const;
  for (const wait of [limit, limit, { ...limit, until: 9 }, pause, pause, limit]) news.wait(wait);
  const waits = (until: number) => ['wait', { task: 'a', why: 'used up', until }];
  expect(told).toEqual([waits(5), waits(9), ['paused', { sprint: 'demo' }], waits(5)]);
});
