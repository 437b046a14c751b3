import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Player } from '../../../src/tui/past/player.ts';
import type { HistoryCursor } from '../../../src/workflow/history/history-cursor.ts';
import { History, on } from '../../helpers/history.ts';
import { cursorIn, memoryProject } from '../../workflow/history/cursor-project.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A cursor in a history whose events happened at these times, in ms after the first. */
async function historyAt(times: readonly number[]): Promise<HistoryCursor> {
  const { events } = new History(
    on('demo', 'sprint.created'),
    ...times.slice(1).map(() => on('demo/a', 'task.noted')),
  );
  const first = Date.parse(events[0]?.time ?? '');
  const timed = events.map((event, at) => ({
    ...event,
    time: new Date(first + (times[at] ?? 0)).toISOString(),
  }));
  const { project, log } = await memoryProject();
  await log.append('demo', timed, { expectedVersion: 'any' });
  await project.refresh();
  return cursorIn(project);
}

/** Which version stands after so many tenths of a second; 'the end' where nothing more is played. */
function shownAfter(
  tenths: readonly number[],
  { from = 1, ...played }: { cursor: HistoryCursor; speed: number; from?: number; versions?: number[] },
): readonly (number | string)[] {
  let stands: number | string = from;
  const player = new Player();
  onTestFinished(() => player.stop());
  player.play({
    versions: undefined,
    ...played,
    from,
    show: (version) => (stands = version),
    onEnd: () => (stands = `the end, at ${stands}`),
  });
  let passed = 0;
  return tenths.map((tenth) => {
    vi.advanceTimersByTime((tenth - passed) * 100);
    passed = tenth;
    return stands;
  });
}

const eachSecond = Array.from({ length: 200 }, (_, second) => second * 1_000);

it.each([
  [1, [1, 10, 25, 1_980, 1_990], [1, 2, 3, 199, 'the end, at 200']],
  [10, [1, 10, 25, 198, 199], [2, 11, 26, 199, 'the end, at 200']],
  [1_000, [1, 2, 9], [101, 'the end, at 200', 'the end, at 200']],
] as const)('plays %i times as fast as it was', async (speed, tenths, versions) => {
  const cursor = await historyAt(eachSecond);
  expect(shownAfter(tenths, { cursor, speed })).toEqual(versions);
});

it('waits two seconds where nothing happened for longer, at normal speed, and less at a higher one', async () => {
  const hour = 3_600_000;
  const cursor = await historyAt([0, 500, hour, hour + 500]);
  const tenths = [4, 5, 24, 25, 29, 30];
  expect(shownAfter(tenths, { cursor, speed: 1 })).toEqual([1, 2, 2, 3, 3, 'the end, at 4']);
  expect(shownAfter([1, 2, 3], { cursor, speed: 10 })).toEqual([2, 2, 'the end, at 4']);
  // From where it stands.
  expect(shownAfter([19, 20, 25], { cursor, speed: 1, from: 2 })).toEqual([2, 3, 'the end, at 4']);
});

it('waits as long between events that were found', async () => {
  const hour = 3_600_000;
  const cursor = await historyAt([0, 1_000, 2_000, hour, hour + 1_000]);
  const tenths = [1, 19, 20];
  expect(shownAfter(tenths, { cursor, speed: 1, versions: [2, 4] })).toEqual([2, 2, 'the end, at 4']);
});

it('begins anew where it stands at the end', async () => {
  const cursor = await historyAt([0, 1_000, 2_000, 3_000]);
  const tenths = [0, 9, 10, 20, 30];
  expect(shownAfter(tenths, { cursor, speed: 1, from: 4 })).toEqual([1, 1, 2, 3, 'the end, at 4']);
  for (const from of [3, 4])
    expect(shownAfter([0, 9, 10], { cursor, speed: 1, from, versions: [2, 3] })).toEqual([
      2,
      2,
      'the end, at 3',
    ]);
  const single = await historyAt([0]);
  expect(shownAfter([0, 1], { cursor: single, speed: 1 })).toEqual([1, 'the end, at 1']);
});
