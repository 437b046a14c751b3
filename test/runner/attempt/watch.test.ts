import { describe, expect, it } from 'vitest';
import { isSampleDue, look, startWatch } from '../../../src/runner/attempt/watch.ts';
import type { AttemptLimits, Sight, Watch } from '../../../src/runner/attempt/watch.ts';

const limits: AttemptLimits = { connect: 4_000, idle: 8_000, tool: 80_000, exit: 500, attempt: 60_000 };

const sight = (now: number, facts: Partial<Sight> = {}): Sight => ({
  now,
  awaitsHuman: false,
  isTurnOver: false,
  isLimited: false,
  usesTool: false,
  heardAt: 0,
  isConnected: true,
  ...facts,
});

/** A watch from 0 on, looked at when it is due, until `ms`. What there is to see may change with the time. */
function watchUntil(ms: number, seen: (now: number) => Partial<Sight> = () => ({})): Watch {
  let watch = startWatch(0);
  for (let now = 0; now <= ms; now = Math.max(watch.nextAt ?? now + 1_000, now + 1))
    watch = look(watch, sight(now, seen(now)), limits);
  return watch;
}

const idle = { processes: '7@1', cpuMs: 300 };

describe('a watch over an agent', () => {
  it('counts its time and its silence', () => {
    expect(watchUntil(8_000)).toMatchObject({ ranMs: 8_000, silentMs: 8_000 });
  });

  it('counts silence from the last time it was heard', () => {
    expect(watchUntil(8_000, () => ({ heardAt: 2_500 }))).toMatchObject({ ranMs: 8_000, silentMs: 5_500 });
  });

  it.each([
    ['a process that is new', (now: number) => ({ ...idle, processes: now < 3_000 ? '7@1' : '7@1 8@2' })],
    ['a process that is gone', (now: number) => ({ ...idle, processes: now < 3_000 ? '7@1 8@2' : '7@1' })],
    ['CPU time that is used', (now: number) => ({ ...idle, cpuMs: now < 3_000 ? 300 : 400 })],
  ])('takes %s for a sign of life', (_, sample) => {
    expect(watchUntil(8_000, (now) => ({ sample: sample(now) })).silentMs).toBe(5_000);
  });

  it('takes no sign from the CPU time of mere timers', () => {
    expect(watchUntil(8_000, (now) => ({ sample: { ...idle, cpuMs: now / 1_000 } })).silentMs).toBe(8_000);
  });

  it('counts nothing while it waits for a human, and begins anew afterwards', () => {
    const watch = watchUntil(40_000, (now) => ({ awaitsHuman: now >= 6_000 && now < 36_000 }));
    expect(watch.ranMs).toBe(10_000);
    expect(watch.silentMs).toBe(4_000);
  });

  it('does not look while it waits for a human', () => {
    const watch = look(startWatch(0), sight(0, { awaitsHuman: true }), limits);
    expect(watch.nextAt).toBeUndefined();
  });

  it('counts no time in which nobody could look: the machine slept', () => {
    const before = watchUntil(4_000);
    const after = look(before, sight(10_000_000), limits);
    expect(after.ranMs - before.ranMs).toBeLessThanOrEqual(2_000);
    expect(after.silentMs).toBeLessThanOrEqual(6_000);
  });

  it('counts from the end of the turn while nothing else comes', () => {
    expect(watchUntil(3_000, (now) => ({ isTurnOver: now >= 1_000 })).idleMs).toBeGreaterThanOrEqual(500);
    expect(watchUntil(3_000, (now) => ({ isTurnOver: now < 1_000 })).idleMs).toBe(0);
  });

  it('counts from the first refusal while it does not go on, whatever it prints', () => {
    const refused = (now: number) => ({ heardAt: now, isLimited: now >= 1_000 });
    expect(watchUntil(8_000, refused)).toMatchObject({ limitedMs: 8_000, silentMs: 0 });
    expect(watchUntil(8_000, (now) => ({ isLimited: now < 7_000 })).limitedMs).toBe(0);
  });

  it('looks a few times per limit, and on the spot when one is reached', () => {
    const looks: number[] = [];
    watchUntil(8_000, (now) => {
      looks.push(now);
      return {};
    });
    expect(looks).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000]);
    expect(look(startWatch(0), sight(0, { isConnected: false }), { ...limits, connect: 300 }).nextAt).toBe(
      300,
    );
    expect(look(startWatch(0), sight(0, { isTurnOver: true }), limits).nextAt).toBe(500);
  });

  it('looks seldom at an agent that may be silent for long', () => {
    expect(look(startWatch(0), sight(0), { ...limits, idle: 3_600_000, attempt: 0 }).nextAt).toBe(60_000);
  });

  it('never looks when nothing is limited', () => {
    const none = { connect: 0, idle: 0, tool: 0, exit: 0, attempt: 0 };
    const watch = look(startWatch(0), sight(0, { isConnected: false, isTurnOver: true }), none);
    expect(watch.nextAt).toBeUndefined();
    expect(isSampleDue(watch, sight(1_000_000), none)).toBe(false);
  });
});

describe('its processes are looked at', () => {
  const watched = look(startWatch(0), sight(0, { sample: idle }), limits);

  it('a few times per limit', () => {
    expect(isSampleDue(startWatch(0), sight(0), limits)).toBe(true);
    expect(isSampleDue(watched, sight(900), limits)).toBe(false);
    expect(isSampleDue(watched, sight(1_000), limits)).toBe(true);
  });

  it('less often while a tool is used', () => {
    expect(isSampleDue(watched, sight(1_000, { usesTool: true }), limits)).toBe(false);
  });

  it('never while it waits for a human', () => {
    expect(isSampleDue(watched, sight(9_000, { awaitsHuman: true }), limits)).toBe(false);
  });

  it('before a silence counts as one', () => {
    const nearly: Watch = { ...watched, at: 7_900, silentMs: 7_900, sample: { of: idle, at: 7_900 } };
    expect(isSampleDue(nearly, sight(7_950), limits)).toBe(false);
    expect(isSampleDue(nearly, sight(8_000), limits)).toBe(true);
  });
});
