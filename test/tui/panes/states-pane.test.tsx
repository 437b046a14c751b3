import { describe, expect, it, vi } from 'vitest';
import { statesPane } from '../../../src/tui/panes/states-pane.ts';
import type { PaneContent } from '../../../src/tui/panes/pane.ts';
import { TracksOfNow } from '../../../src/workflow/history/task-tracks.ts';
import { History, on } from '../../helpers/history.ts';
import { paneSource } from '../../helpers/pane-source.ts';
import { showPane } from '../../helpers/shown-pane.tsx';
import { logOf } from '../../helpers/stored-events.ts';

const history = new History(
  on('demo', 'sprint.created', { tasks: [{ id: 'parser', file: 'parser.md' }] }),
  on('demo', 'sprint.started', { maxAttempts: 3 }),
  on('demo/parser', 'task.started', { attempt: 1, runId: 'run-1' }),
  on('demo/parser', 'agent.connected', { runId: 'run-1' }),
  on('demo/parser', 'task.failed', { runId: 'run-1' }),
  on('demo/parser', 'task.reset'),
  on('demo/parser', 'task.started', { attempt: 2, runId: 'run-2' }),
  on('demo/parser', 'agent.connected', { runId: 'run-2' }),
);

/** What the pane shows of the task, after all, or at a version of the past. */
function contentAt(past?: number): Promise<PaneContent> {
  const events = history.events.slice(0, past);
  const then = new History();
  for (const event of events) then.add(event);
  const source = paneSource({
    project: { state: history.state },
    tracks: new TracksOfNow(logOf(history.events), 'demo'),
    past: past === undefined ? undefined : { version: past, sprint: then.state.streams.get('demo') },
  });
  return statesPane.load(source, 'parser');
}

/** Without the times of day. */
const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\d\d:\d\d:\d\d/, '12:00:00'));
const textOf = (content: PaneContent, width: number) =>
  plain(content.lines(width).map(({ line }) => line.spans.map(({ text }) => text).join('')));

describe('the pane of states', () => {
  it('draws the machine with the state that holds, and what was gone', async () => {
    const { lines } = showPane('states', await contentAt(), [80, 24]);
    expect(
      plain(lines())
        .slice(1, -1)
        .map((line) => line.slice(32)),
    ).toMatchInlineSnapshot(`
      [
        "┬━ 1 Out│2 Task│3 Diff│4 Event│5 Call│[6 State]",
        "│ ╭─────────────────────────────────────╮      ▐",
        "│ │ pending ×2                          │◀━━━━┓▐",
        "│ │       skipped, cancelled, completed ├──╮  ┃▐",
        "┤ ╰──┳──────────────────────────────────╯  │  ┃▐",
        "│    ┃ ×2 started                          │  ┃▐",
        "│ ╭──▼─ active ─────────────────────────╮  │  ┃▐",
        "│ │ starting ×2 ━▶ ▶working ×2◀         │  │  ┃▐",
        "│ │ retrying                  ×1 failed ┣━━┫  ┃▐",
        "│ ╰──┬────────────────▲─────────────────╯  ┃  ┃▐",
        "│    │ requested +1   │ answered +1        ┃  ┃▐",
        "│ ╭──▼─ blocked ──────┴─────────────────╮  ┃  ┃▐",
        "│ │ question   approval   prompt        │  ┃  ┃",
        "│ ╰──┬──────────────────────────────────╯  ┃  ┃",
        "│    │ skipped, cancelled, completed       ┃  ┃",
        "│ ╭──▼─ done ───────────────────────────╮  ┃  ┃",
        "│ │ completed   failed ×1 ─▶ skipped    │◀━┛  ┃",
        "│ │ cancelled                  ×1 reset ┣━━━━━┛",
        "│ ╰─────────────────────────────────────╯",
        "│",
        "│ How it got here: 6 steps, the latest first   ▼",
        "┴───────────────────────────────────────────────",
      ]
    `);
  });

  it('has the state that holds in sight, however low the pane is, until somebody moves', async () => {
    const { lines, press } = showPane('states', await contentAt(5), [80, 16]);
    const seen = () => plain(lines()).map((line) => line.slice(34).trimEnd());
    expect(seen().slice(2, -1)).toMatchInlineSnapshot(`
      [
        "   │ requested +1   │ answered +1        ┃  │▲",
        "╭──▼─ blocked ──────┴─────────────────╮  ┃  │",
        "│ question   approval   prompt        │  ┃  │",
        "╰──┬──────────────────────────────────╯  ┃  │",
        "   │ skipped, cancelled, completed       ┃  │▐",
        "╭──▼─ done ───────────────────────────╮  ┃  │▐",
        "│ completed   ▶failed ×1◀ ─▶ skipped  │◀━┛  │▐",
        "│ cancelled           reopened, reset ├─────╯▐",
        "╰─────────────────────────────────────╯      ▐",
        "",
        "How it got here: 3 steps, the latest first",
        "12:00:00 Task failed     → done.failed       ▼",
        "──────────────────────────────────────────────",
      ]
    `);
    const first = seen()[2]?.replace('▲', '');
    press('\u001B[A');
    await vi.waitFor(() => expect(seen()[3]).toBe(first));
    press('g');
    await vi.waitFor(() => expect(seen()[3]).toContain('pending ×1'));
  });

  it('has one column of states where there is little room', async () => {
    const { lines } = showPane('states', await contentAt(), [60, 40]);
    expect(
      plain(lines())
        .slice(1, -1)
        .map((line) => line.slice(28)),
    ).toMatchInlineSnapshot(`
      [
        "┬━ ‹│3 Dif│4 Eve│5 Cal│[6 Sta] ━",
        "│ ╭─────────────────────╮      ▐",
        "│ │ pending ×2          │◀━━━━┓▐",
        "│ │          skipped +2 ├──╮  ┃▐",
        "┤ ╰──┳──────────────────╯  │  ┃▐",
        "│    ┃ ×2 started          │  ┃▐",
        "│ ╭──▼─ active ─────────╮  │  ┃▐",
        "│ │ starting ×2         │  │  ┃▐",
        "│ │ ▶working ×2◀        │  │  ┃▐",
        "│ │ retrying         ×1 ┣━━┫  ┃▐",
        "│ ╰──┬────────▲─────────╯  ┃  ┃▐",
        "│    │        │            ┃  ┃▐",
        "│ ╭──▼─ blocked ────────╮  ┃  ┃▐",
        "│ │ question   approval │  ┃  ┃▐",
        "│ │ prompt              │  ┃  ┃▐",
        "│ ╰──┬──────────────────╯  ┃  ┃▐",
        "│    │ skipped +2          ┃  ┃▐",
        "│ ╭──▼─ done ───────────╮  ┃  ┃▐",
        "│ │ completed           │◀━┛  ┃▐",
        "│ │ failed ×1        ×1 ┣━━━━━┛▐",
        "│ │ skipped   cancelled │      ▐",
        "│ ╰─────────────────────╯      ▐",
        "│                              ▐",
        "│ How it got here: 6 steps, the▐",
        "│ latest first                 ▐",
        "│ 12:00:00 Agent connected →   ▐",
        "│   active.working ×2          ▐",
        "│ 12:00:00 Task started    →",
        "│   active.starting ×2",
        "│ 12:00:00 Task reset      →",
        "│   pending",
        "│ 12:00:00 Task failed     →",
        "│   done.failed",
        "│",
        "│ What can happen next",
        "│ Task skipped       →",
        "│               done.skipped   ▼",
        "┴───────────────────────────────",
      ]
    `);
  });

  it('lists the transitions, and where it can go, below; where there is no room for a drawing, nothing else', async () => {
    expect(textOf(await contentAt(), 18)).toMatchInlineSnapshot(`
      [
        "▶active.working◀",
        "",
        "How it got here: 6 steps, the latest first",
        "12:00:00 Agent connected → active.working ×2",
        "12:00:00 Task started    → active.starting ×2",
        "12:00:00 Task reset      → pending",
        "12:00:00 Task failed     → done.failed",
        "",
        "What can happen next",
        "Task skipped       → done.skipped",
        "Task cancelled     → done.cancelled",
        "Sprint cancelled   → done.cancelled",
        "Task started       → active.working, active.starting",
        "Approval asked for → blocked.approval",
        "Question asked     → blocked.prompt, blocked.question",
        "Task blocked       → blocked.question",
        "Task completed     → done.completed",
        "Task failed        → done.failed",
        "Task retried       → active.retrying",
        "Agent exited       → active.starting",
        "Agent lost         → active.starting",
      ]
    `);
  });

  it('says from where each transition led, unless one of them would be broken for it', async () => {
    const content = await contentAt();
    const stepsAt = (width: number) => textOf(content, width).filter((line) => line.startsWith('12:00:00'));
    const steps = stepsAt(200);
    expect(steps.at(-1)).toBe('12:00:00 Task failed     active.working → done.failed');
    const longest = Math.max(...steps.map((line) => line.length));
    expect(stepsAt(longest)).toEqual(steps);
    expect(stepsAt(longest - 1)).toEqual(steps.map((line) => line.replace(/[\w.]+ (?=→)/, '')));
  });

  it('is that of the moment, in the past', async () => {
    const then = textOf(await contentAt(5), 60);
    expect(then.join('\n')).toContain('▶failed ×1◀');
    expect(then).toContain('How it got here: 3 steps, the latest first');
    expect((await contentAt(0)).empty).toBe('It was not planned yet');
  });
});
