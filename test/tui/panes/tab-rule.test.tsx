import { render } from 'ink';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allPanes } from '../../../src/tui/panes/all-panes.ts';
import { TabRule } from '../../../src/tui/panes/tab-rule.tsx';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';

/** The rule above the pane of this id, about task `parser`. */
function ruleOf(id: string, width: number, isPicked = true): string | undefined {
  const pane = allPanes.find((each) => each.id === id);
  if (!pane) throw new Error(`no pane ${id}`);
  const stdout = new FakeStdout(width, 5);
  const { unmount } = render(
    <TabRule
      pane={pane}
      tabs={allPanes}
      about="parser"
      isPicked={isPicked}
      isFocused={false}
      width={width}
    />,
    { stdin: new FakeStdin(), stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  onTestFinished(() => unmount());
  return stdout.lines[0];
}

describe('<TabRule>', () => {
  it('has all names, further from each other than from their numbers, and what they are about', () => {
    expect([90, 77, 68].map((width) => ruleOf('events', width))).toEqual([
      '┬─ 1 Output  2 Task  3 Changes  [4 Events]  5 Calls  6 States ─────────────────── parser ─',
      '┬─ 1 Output  2 Task  3 Changes  [4 Events]  5 Calls  6 States ────── parser ─',
      '┬─ 1 Output  2 Task  3 Changes  [4 Events]  5 Calls  6 States ──────',
    ]);
  });

  it('calls a pane the same at one width, whichever is shown', () => {
    const named = (id: string, width: number) => ruleOf(id, width)?.replaceAll(/[[\]]/g, '');
    for (const [width, tabs] of [
      [63, '1 Output  2 Task  3 Changes  4 Events  5 Calls  6 States'],
      [58, '1 Output│2 Task│3 Changes│4 Events│5 Calls│6 States'],
      [48, '1 Out│2 Task│3 Diff│4 Event│5 Call│6 State'],
      [42, '1 Out│2 Tas│3 Dif│4 Eve│5 Cal│6 Sta'],
    ] as const)
      for (const { id } of allPanes) expect(named(id, width)).toContain(`┬─ ${tabs}`);
  });

  it('has no brackets where another pane beside it is picked', () => {
    expect(ruleOf('events', 68, false)).toMatch(/^┬─ 1 Output  2 Task  3 Changes  4 Events  5 Calls/);
  });

  it('has short names, then only those around the one that is shown, and says that there are more', () => {
    expect(ruleOf('events', 50)).toBe('┬─ 1 Out│2 Task│3 Diff│[4 Event]│5 Call│6 State ──');
    expect(['output', 'events', 'states'].map((id) => ruleOf(id, 32))).toEqual([
      '┬─ [1 Out]│2 Tas│3 Dif│4 Eve│› ─',
      '┬─ ‹│3 Dif│[4 Eve]│5 Cal│6 Sta ─',
      '┬─ ‹│3 Dif│4 Eve│5 Cal│[6 Sta] ─',
    ]);
  });

  it('is as wide as it is told, whichever is shown', () => {
    const widths = Array.from({ length: 80 }, (_, at) => 20 + at);
    const wrong = allPanes.flatMap(({ id }) =>
      // A blank at its end is not seen.
      widths
        .filter((width) => ![width, width - 1].includes(ruleOf(id, width)?.length ?? 0))
        .map((width) => `${id} ${width}`),
    );
    expect(wrong).toEqual([]);
  });
});
