import { render } from 'ink';
import { expect, it, onTestFinished } from 'vitest';
import { PastBar } from '../../../src/tui/past/past-bar.tsx';
import type { Past } from '../../../src/tui/past/past.ts';
import { emptyBuffer } from '../../../src/tui/text/text-buffer.ts';
import { HistoryIndex } from '../../../src/workflow/history/history-index.ts';
import { FakeStdout } from '../../helpers/fake-terminal.ts';
import { aSprint } from '../../helpers/screen-views.ts';
import { eventLog } from '../../helpers/stored-events.ts';

const index = new HistoryIndex();
const events = eventLog(
  'sprint-13/parser',
  ['task.started'],
  ['task.noted', { text: 'reading' }],
  ['help.requested'],
  ['help.answered'],
  ['task.noted', { text: 'writing' }],
  ['task.noted', { text: 'writing' }],
  ['task.failed', { reason: 'no' }],
);
for (const event of events) index.add(event);

/** The bar in so many columns, without the time of day. */
function shown(over: Partial<Past>, columns = 60): string[] {
  const moment = {
    version: 5,
    length: events.length,
    at: index.timeOf(5),
    afterMs: 1_000,
    title: 'Task noted',
    text: 'writing',
    task: 'parser',
    mark: undefined,
  };
  const past: Past = {
    moment,
    index,
    outcomes: new Map(),
    present: aSprint(),
    left: undefined,
    speed: 10,
    isPlaying: false,
    marked: undefined,
    changes: undefined,
    asks: 'place',
    goal: emptyBuffer,
    found: undefined,
    isSifted: false,
    ...over,
  };
  const stdout = new FakeStdout(columns, 4);
  const { unmount } = render(<PastBar past={past} width={columns} />, {
    stdout,
    debug: true,
    patchConsole: false,
  });
  onTestFinished(() => unmount());
  return stdout.lines.map((line) => line.replace(/\d\d:\d\d:\d\d/, '12:00:00'));
}

it('says which event it is, and draws the history with what stands out in it', () => {
  expect(shown({})).toMatchInlineSnapshot(`
    [
      " ◀ event 5 of 7 · 12:00:00 · +1 s   Task noted writing",
      " ▸───────────────?───────!────────┃───────────────✗────────",
    ]
  `);
});

it('leaves out the day, and more, where there is no room', () => {
  expect([90, 60, 44, 40].map((columns) => shown({}, columns)[0])).toMatchInlineSnapshot(`
    [
      " ◀ event 5 of 7 · 2026-01-31 12:00:00 · +1 s   Task noted writing",
      " ◀ event 5 of 7 · 12:00:00 · +1 s   Task noted writing",
      " ◀ event 5 of 7 · 12:00:00   Task noted wr…",
      " ◀ event 5 of 7 · 12:00:00   Task noted",
    ]
  `);
});

it('has the moment that was marked in it, and says that it plays', () => {
  expect(shown({ marked: 2, isPlaying: true })).toMatchInlineSnapshot(`
    [
      " ◀ ▶ 10×  event 5 of 7 · 12:00:00   Task noted writing",
      " ▸───────d───────?───────!────────┃───────────────✗────────",
    ]
  `);
});

it('has what was found in it, over what stands out; where nothing else counts, nothing else', () => {
  const found = { words: 'noted', versions: [2, 6, 7] };
  expect(shown({ found })[1]).toMatchInlineSnapshot(
    `" ▸───────◆───────?───────!────────┃───────◆───────◆────────"`,
  );
  expect(shown({ found, isSifted: true })[1]).toMatchInlineSnapshot(
    `" ────────◆────────────────────────┃───────◆───────◆────────"`,
  );
});
