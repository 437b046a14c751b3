import { expect, it, onTestFinished, vi } from 'vitest';
import { createProjectState } from '../../../src/machines/project-state.ts';
import { loadPanes } from '../../../src/tui/feed/load-panes.ts';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import { HistoryIndex } from '../../../src/workflow/history/history-index.ts';
import type { HistoryCursor } from '../../../src/workflow/history/history-cursor.ts';
import { paneSource } from '../../helpers/pane-source.ts';
import { aSprint } from '../../helpers/screen-views.ts';

/** A screen that shows the pane of events, and how often that was read of now and of the past. */
function screen() {
  const state = initialState({ isOwner: true, sprint: aSprint({ version: 7 }) });
  const actor = startScreenActor({ ...state, browsing: { ...state.browsing, pane: 'events' } });
  const read = { now: 0, past: [] as number[] };
  const events = { read: () => Promise.resolve([]).finally(() => (read.now += 1)) };
  const cursor = {
    events: (_from: number, to: number) => Promise.resolve([]).finally(() => read.past.push(to)),
  };
  const loader = loadPanes(actor, {
    source: paneSource({ stream: 'sprint-13', events, project: { state: createProjectState() } }),
    cursor: () => cursor as unknown as HistoryCursor,
    moment: () => undefined,
    fail: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => {
    loader.stop();
    actor.stop();
  });
  const happens = (version: number) =>
    actor.send({ type: 'news', sprint: aSprint({ version }), outputVersion: 0, closed: [] });
  const goes = (version: number) => {
    const moment = {
      version,
      length: 9,
      at: 0,
      afterMs: 0,
      title: '',
      text: '',
      task: 'parser',
      mark: undefined,
    };
    const of = {
      index: new HistoryIndex(),
      outcomes: new Map<string, string>(),
      found: undefined,
      isBeginning: false,
    };
    actor.send({ type: 'moment', arrived: { moment, sprint: aSprint({ version }), ...of } });
  };
  return { read, happens, goes };
}

it('a pane of now is read seldom, however much happens; each moment of the past is read at once', async () => {
  const { read, happens, goes } = screen();
  happens(8);
  await vi.waitFor(() => expect(read.now).toBe(1));
  const begun = performance.now();
  for (let version = 9; version < 20; version += 1) {
    happens(version);
    await new Promise(setImmediate);
  }
  expect(read.now).toBe(1);
  await vi.waitFor(() => expect(read.now).toBe(2), { timeout: 5_000 });
  expect(performance.now() - begun).toBeGreaterThan(400);

  for (let version = 1; version <= 5; version += 1) {
    goes(version);
    await vi.waitFor(() => expect(read.past.at(-1)).toBe(version), { timeout: 300, interval: 1 });
  }
  expect(read.past).toEqual([1, 2, 3, 4, 5]);
});
