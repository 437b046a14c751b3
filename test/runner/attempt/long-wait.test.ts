import { describe, expect, it } from 'vitest';
import { lookAtWait, type LongWait } from '../../../src/runner/attempt/long-wait.ts';

const idle = { processes: '7@1', cpuMs: 300 };
const limitMs = 1_000;

/** The wait from 0 on, looked at whenever it is due, until `ms`. */
function waitUntil(ms: number, { actedAt = () => 0, sample = () => idle }: Partial<Seen> = {}): LongWait {
  let wait: LongWait | undefined;
  for (let now = 0; ; now = wait.until) {
    const at = now;
    wait = lookAtWait(wait, { now, actedAt: actedAt(now), limitMs }, () => sample(at));
    if (wait.isOver || wait.until > ms) return wait;
  }
}

type Seen = { actedAt: (now: number) => number; sample: (now: number) => typeof idle | undefined };

describe('an agent that waits for a human', () => {
  it('has waited for long when nothing moved meanwhile', () => {
    expect(waitUntil(1_000)).toMatchObject({ since: 0, isOver: true });
  });

  it('has not before', () => {
    expect(waitUntil(999)).toMatchObject({ until: 1_000, isOver: false });
  });

  it('begins to wait anew with whatever it says', () => {
    expect(waitUntil(1_000, { actedAt: (now) => Math.min(now, 600) })).toMatchObject({
      since: 600,
      until: 1_600,
      isOver: false,
    });
    expect(waitUntil(1_600, { actedAt: (now) => Math.min(now, 600) }).isOver).toBe(true);
  });

  it.each([
    ['a process that is new', (now: number) => ({ ...idle, processes: now < 500 ? '7@1' : '7@1 8@2' })],
    ['CPU time that is used', (now: number) => ({ ...idle, cpuMs: now < 500 ? 300 : 400 })],
  ])('begins anew with %s', (_, sample) => {
    expect(waitUntil(1_000, { sample })).toMatchObject({ since: 1_000, isOver: false });
    expect(waitUntil(2_000, { sample }).isOver).toBe(true);
  });

  it('begins to wait anew when the clock was set back', () => {
    const before = waitUntil(500);
    const set = { now: -100_000, actedAt: -100_000, limitMs };
    expect(lookAtWait(before, set, () => idle)).toMatchObject({ since: -100_000, until: -99_000 });
  });

  it('waits as well where nobody can look at processes', () => {
    expect(waitUntil(1_000, { sample: () => undefined }).isOver).toBe(true);
  });
});
