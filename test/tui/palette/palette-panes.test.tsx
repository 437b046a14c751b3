import { expect, it, onTestFinished } from 'vitest';
import { render } from 'ink';
import { insert, emptyBuffer } from '../../../src/tui/text/text-buffer.ts';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { ClockContext } from '../../../src/tui/terminal/clock.ts';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { Screen } from '../../../src/tui/screen/screen.tsx';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import { aSprint, now } from '../../helpers/screen-views.ts';

const watching = initialState({ isOwner: false, sprint: aSprint(), sprints: ['other'] });

function lines(state: ScreenState, [columns, rows]: [number, number]): readonly string[] {
  const stdout = new FakeStdout(columns, rows);
  const { unmount } = render(
    <ClockContext value={{ now: () => now, subscribe: () => () => {} }}>
      <Screen actor={startScreenActor(state)} output={createAgentOutput()} />
    </ClockContext>,
    { stdin: new FakeStdin(), stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  onTestFinished(() => unmount());
  return stdout.lines;
}

const looking = (text: string, picked = 0): ScreenState => ({
  ...watching,
  focus: { at: 'palette', draft: insert(emptyBuffer, text), picked, back: 'sprint' },
});

it('the palette lists what matches, and how it is done without it', () => {
  expect(lines(looking('task', 1), [80, 16])).toMatchInlineSnapshot(`
    [
      " ● active  Checkout rewrite  ━━━─────── 1 of 3 done          last event 3 s ago",
      "── Commands ────────────────────────────────────────────────────────── 2 of 11 ─",
      "╭──────────────────────────────────────────────────────────────────────────────╮",
      "│ > task                                                                       │",
      "╰──────────────────────────────────────────────────────────────────────────────╯",
      "   Task: the file that tells the agent what to do                             2",
      " › task schema  show it",
      "   task parser  show it",
      "   task docs    show it",
      "   skip the task, with a reason                                               S",
      "   end the task for good, with a reason                                       X",
      "   Changes: the files that the task changed, the differences of each with E…  3",
      "   States: the states that the task can be in, and its way through them       6",
      "   send its agent a message while it works: a note                            M",
      "   Output: what the agents of the task write                                  1",
      " Enter do it · ↑/↓ pick · Tab complete · Esc back",
    ]
  `);
});

it('in little room it shows what is around the one that is picked', () => {
  expect(lines(looking('', 8), [44, 12])).toMatchInlineSnapshot(`
    [
      " ● active  Checkout rewrite  1/3",
      "── Commands ────────────────────── 9 of 31 ─",
      "╭──────────────────────────────────────────╮",
      "│ >  What to do, a task, or / for a comma… │",
      "╰──────────────────────────────────────────╯",
      "   stop the run, also one in another te…  T",
      "   end the whole sprint for good, with …  C",
      " Show",
      "   Output: what the agents of the task …  1",
      "   Task: the file that tells the agent …  2",
      " › Changes: the files that the task cha…  3",
      " Enter do it · ↑/↓ pick · Tab complete",
    ]
  `);
});

it('what a command has said is shown in its colours, and acts on nothing', () => {
  const text = '\u001B[31mbroken\u001B[39m fs\n\u001B[2J\u001B]0;title\u0007a\u202Eb\n'.padEnd(900, 'long ');
  const result = { title: 'clifford mcp list', text, end: 'ended with exit code 1' };
  const state: ScreenState = {
    ...watching,
    focus: { at: 'result', top: 0, back: 'sprint' },
    palette: { ...watching.palette, result },
  };
  expect(lines(state, [60, 12])).toMatchInlineSnapshot(`
    [
      " ● active  Checkout rewrite  ━━━─────── 1/3       quiet 3 s",
      "── clifford mcp list ───────────────────── lines 1–9 of 20 ─",
      " broken fs",
      " ab",
      " long long long long long long long long long long long",
      " long long long long long long long long long long long",
      " long long long long long long long long long long long",
      " long long long long long long long long long long long",
      " long long long long long long long long long long long",
      " long long long long long long long long long long long",
      " long long long long long long long long long long long",
      " Esc back · ↑/↓ scroll · ? help",
    ]
  `);
});
