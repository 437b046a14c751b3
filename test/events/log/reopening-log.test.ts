import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { CliffordError } from '../../../src/errors.ts';
import { newEvent } from '../../../src/events/envelope.ts';
import type { NewEvent } from '../../../src/events/envelope.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { logPoisoned } from '../../../src/events/jsonl/log-errors.ts';
import { openJsonlLog } from '../../../src/events/jsonl/jsonl-log.ts';
import { OutcomeUnknownError } from '../../../src/events/log/outcome-unknown.ts';
import { openReopeningLog } from '../../../src/events/log/reopening-log.ts';
import { fact } from '../../helpers/facts.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const paused = () => newEvent('/clifford/cli', { subject: 'demo', ...fact('sprint.paused') } as NewEvent);
const any = { expectedVersion: 'any' } as const;

type FailingParts = {
  readonly writes: boolean;
  readonly count?: number;
  readonly onFailure?: () => void;
};

/** A log whose handles each fail with their first append, before or after it is written, but for those after `count`. */
async function failing({ writes, count = 1, onFailure }: FailingParts) {
  const path = join(await tempRoot(), 'events.jsonl');
  let opened = 0;
  return openReopeningLog(async (): Promise<EventLog> => {
    const inner = await openJsonlLog(path);
    opened += 1;
    if (opened > count) return inner;
    return {
      ...inner,
      async append(...args) {
        if (writes) await inner.append(...args);
        onFailure?.();
        throw logPoisoned(path, new Error('EIO'));
      },
    };
  });
}

/** A clock that goes where it is told. */
function ownClock(): (ms: number) => void {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return (ms) => void (now += ms);
}

it('an append that failed after it was written is found again, and not repeated', async () => {
  const log = await failing({ writes: true });
  const event = paused();
  expect(await log.append('demo', [event], { expectedVersion: 0 })).toMatchObject([
    { id: event.id, streamversion: 1 },
  ]);
  expect(await log.head('demo')).toBe(1);
  await log.close();
});

it('an append that failed before it was written is written by the next handle', async () => {
  const log = await failing({ writes: false });
  const event = paused();
  expect(await log.append('demo', [event], { expectedVersion: 0 })).toMatchObject([{ id: event.id }]);
  expect(await log.head('demo')).toBe(1);
  await log.close();
});

it('an append that failed slowly is written by the next handle, too', async () => {
  const pass = ownClock();
  const log = await failing({ writes: false, onFailure: () => pass(20_000) });
  const event = paused();
  expect(await log.append('demo', [event], { expectedVersion: 0 })).toMatchObject([{ id: event.id }]);
  await log.close();
});

it('an append that fails again and again rejects, and the next one is taken', async () => {
  const log = await failing({ writes: false, count: 5 });
  const event = paused();
  await expect(log.append('demo', [event], any)).rejects.toMatchObject({ code: 'LOG_POISONED' });
  expect(await log.append('demo', [event], any)).toMatchObject([{ id: event.id }]);
  expect(await log.head('demo')).toBe(1);
  await log.close();
});

it('an append that its log has waited long for is not tried again, nor looked for: that would take as long', async () => {
  const path = join(await tempRoot(), 'events.jsonl');
  const asked: string[] = [];
  const pass = ownClock();
  const log = await openReopeningLog(async (): Promise<EventLog> => {
    const inner = await openJsonlLog(path);
    return {
      ...inner,
      async append() {
        asked.push('append');
        pass(20_000);
        throw new OutcomeUnknownError('Nobody knows', {
          code: 'LOG_UNREACHABLE',
          fix: 'Wait',
          recovery: 'retry',
        });
      },
      select(selection) {
        asked.push('select');
        return inner.select(selection);
      },
    };
  });
  await expect(log.append('demo', [paused()], any)).rejects.toBeInstanceOf(OutcomeUnknownError);
  expect(asked).toEqual(['append']);
  await log.close();
});

const busy = () => new CliffordError('Cannot', { code: 'LOG_BUSY', fix: 'Wait', recovery: 'retry' });

it.each(['no other handle can be opened', 'it is refused since', 'it cannot be looked for'] as const)(
  'an append of which nobody knows stays one when %s',
  async (trouble) => {
    const path = join(await tempRoot(), 'events.jsonl');
    let appends = 0;
    let opened = 0;
    const log = await openReopeningLog(async (): Promise<EventLog> => {
      opened += 1;
      if (opened > 1 && trouble === 'no other handle can be opened') throw busy();
      const inner = await openJsonlLog(path);
      return {
        ...inner,
        async append() {
          appends += 1;
          throw appends > 1 && trouble === 'it is refused since'
            ? busy()
            : logPoisoned(path, new Error('EIO'));
        },
        async *select(selection) {
          if (appends > 0) throw busy();
          yield* inner.select(selection);
        },
      };
    });
    await expect(log.append('demo', [paused()], any)).rejects.toBeInstanceOf(OutcomeUnknownError);
    await log.close();
  },
);
