import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compressIdle } from '../../../src/views/events/compress-idle.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';

describe('the times at which a history is played', () => {
  it('are as they were, but for long waits', () => {
    const played = compressIdle([1_000, 1_500, 61_500, 61_500, 63_400], { longestMs: 2_000 });
    expect([1, 2, 3, 4, 5].map(played.playedAt)).toEqual([0, 500, 2_500, 2_500, 4_400]);
    expect([1, 2, 3, 4, 5].map(played.leftOutBefore)).toEqual([0, 0, 58_000, 0, 0]);
    expect(played.totalMs).toBe(4_400);
    expect([-1, 0, 499, 500, 2_499, 2_500, 4_399, 9_999].map(played.versionAt)).toEqual([
      1, 1, 1, 2, 2, 4, 4, 5,
    ]);
  });

  it('stand still where a clock was set back', () => {
    const played = compressIdle([5_000, 4_000, 4_100], { longestMs: 2_000 });
    expect([1, 2, 3].map(played.playedAt)).toEqual([0, 0, 100]);
  });

  it('are none of nothing', () => {
    const played = compressIdle([], { longestMs: 2_000 });
    expect([played.totalMs, played.versionAt(5), played.playedAt(1)]).toEqual([0, 1, 0]);
  });

  it('never fall, wait no longer than the longest, and come back to their version', () => {
    const gaps = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.nat(5_000), (all, longestMs) => {
        let now = 0;
        const times = all.map((gap) => (now += gap));
        const played = compressIdle(times, { longestMs });
        for (let version = 2; version <= times.length; version += 1) {
          const step = played.playedAt(version) - played.playedAt(version - 1);
          expect(step).toBe(Math.min(all[version - 1] ?? 0, longestMs));
          expect(step + played.leftOutBefore(version)).toBe(all[version - 1]);
          expect(played.versionAt(played.playedAt(version))).toBeGreaterThanOrEqual(version);
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
