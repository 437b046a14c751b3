import console from 'node:console';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openSprint, parserAtWork } from '../../helpers/parser-screen.ts';
import type { OwnScreen } from '../../helpers/pty-screen.ts';

const MINUTE_MS = 60_000;

/** A screen of a sprint of which nothing was heard for 2 h 10 min 30 s, by a clock that goes where it is told. */
async function openIdle(owner: boolean): Promise<OwnScreen> {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date(2026, 0, 31, 12),
  });
  vi.stubGlobal('console', console);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const { project, stream } = await parserAtWork();
  vi.setSystemTime(Date.now() + 130.5 * MINUTE_MS);
  const over = Promise.withResolvers<{ stays: boolean }>();
  const options = { stream, owner, ended: over.promise, output: 'Reading\n' };
  const { screen, left } = openSprint(project, { columns: 110, rows: 30 }, options);
  onTestFinished(async () => {
    over.resolve({ stays: false });
    if (!owner) screen.send('q');
    await left;
  });
  await screen.see('Reading');
  // All of it has been read.
  await screen.see('Task parser');
  await screen.see(owner ? 'last event 2 h 10 min ago' : 'B run it');
  return screen;
}

/** What is on the screen before and after each second of a minute in which something was written to the terminal. */
async function writesInMinute(screen: OwnScreen): Promise<{ before: string[]; after: string[] }[]> {
  const writes = [];
  for (let second = 0; second < 60; second += 1) {
    const [before, length] = [screen.lines(), screen.bytes().length];
    vi.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    await screen.shown();
    if (screen.bytes().length > length) writes.push({ before, after: screen.lines() });
  }
  return writes;
}

it('in a minute in which nothing happens the screen of a run writes once, how long nothing has happened', async () => {
  const writes = await writesInMinute(await openIdle(true));
  expect(writes).toHaveLength(1);
  for (const { before, after } of writes) {
    expect(after).not.toEqual(before);
    expect(after.map((row) => row.replaceAll('2 h 11 min', '2 h 10 min'))).toEqual(before);
  }
});

it('in a minute in which nothing happens the screen of a sprint that nobody runs writes nothing', async () => {
  expect(await writesInMinute(await openIdle(false))).toEqual([]);
});

it('in a minute in which nothing happens a screen at a moment of the past writes nothing', async () => {
  const screen = await openIdle(true);
  screen.press('\u001B[D');
  await screen.see(/event \d+ of \d+/);
  await screen.lose('Reading…');
  expect(await writesInMinute(screen)).toEqual([]);
});
