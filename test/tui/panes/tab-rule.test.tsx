import { render } from 'ink';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allPanes } from '../../../src/tui/panes/all-panes.ts';
import { TabRule } from '../../../src/tui/panes/tab-rule.tsx';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';

/** The rule above the pane of this id, about task `parser`. */
function ruleOf(id: string, width: number): string | undefined {
  const pane = allPanes.find((each) => each.id === id);
  if (!pane) throw new Error(`no pane ${id}`);
  const stdout = new FakeStdout(width, 5);
  const { unmount } = render(
    <TabRule pane={pane} tabs={allPanes} about="parser" isFocused={false} width={width} />,
    { stdin: new FakeStdin(), stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  onTestFinished(() => unmount());
  return stdout.lines[0];
}

describe('<TabRule>', () => {
  it('has all names, further from each other where there is room, and what they are about', () => {
    expect([90, 68].map((width) => ruleOf('events', width))).toEqual([
      '┬─ 1 Output  2 Task  3 Changes  [4 Events]  5 Calls  6 States ─────────────────── parser ─',
      '┬─ 1 Output 2 Task 3 Changes [4 Events] 5 Calls 6 States ── parser ─',
    ]);
  });

  it('has short names, then only those around the one that is shown, and says that there are more', () => {
    expect(ruleOf('events', 50)).toBe('┬─ 1 Out 2 Task 3 Changes [4 Events] 5 Calls 6 St');
    expect(['output', 'events', 'states'].map((id) => ruleOf(id, 32))).toEqual([
      '┬─ [1 Output] 2 Task 3 Diff › ──',
      '┬─ ‹ [4 Events] 5 Calls 6 St ───',
      '┬─ ‹ 4 Ev 5 Calls [6 States] ───',
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
