import { render } from 'ink';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { ClockContext } from '../../../src/tui/terminal/clock.ts';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { pressKey } from '../../../src/tui/keys/press-key.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { Screen } from '../../../src/tui/screen/screen.tsx';
import { approval } from '../../helpers/approval.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import { aBlockedSprint, aCallQuestion, aQuestion, deciding, now, room } from '../../helpers/screen-views.ts';

const clock = { now: () => now, subscribe: () => () => {} };
let unmount = () => {};
const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000 });
afterEach(() => unmount());

/** A screen in this state, on a terminal of this size. */
function show(state: ScreenState, [columns, rows]: [number, number] = [80, 24]) {
  const stdout = new FakeStdout(columns, rows);
  const stdin = new FakeStdin();
  const actor = startScreenActor(state);
  ({ unmount } = render(
    <ClockContext value={clock}>
      <Screen actor={actor} output={createAgentOutput()} />
    </ClockContext>,
    { stdin, stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  ));
  return { stdout, stdin, actor, press: (bytes: string) => stdin.write(bytes) };
}

const call = aCallQuestion({
  approval: {
    ...approval,
    args: { path: 'src/\u202Egnp.sh', apiKey: 'hunter2', content: 'set -eu\n\u001B[2Jecho\n', mode: 420 },
    rule: 'rules[0] fs/write_*',
    annotations: { destructiveHint: true },
  },
});
const long = aCallQuestion({
  approval: { ...approval, args: Array.from({ length: 30 }, (_, at) => at) },
});
const scope = (picked?: 'sprint'): ScreenState => ({
  ...deciding(call),
  focus: { at: 'scope', isArmed: true, picked },
});

describe('<ToolApprovalCard>', () => {
  it('shows the call, why it is asked about, and the keys', () => {
    expect(show(deciding(call)).stdout.lines).toMatchInlineSnapshot(`
      [
        " ■ blocked  Checkout rewrite  ━━━─────── 1/3           ? 1 approval   quiet 3 s",
        "── Tasks ───────────────────────┬─ [1 Out]│2 Task│3 Diff│4 Event│5 Call│6 State",
        " ✔ done      schema             │ No output yet",
        "›■ blocked   parser    2/3 12 s │",
        " ○ pending   docs               │",
        "                                │",
        "                                │",
        "                                │",
        "━━ Approval · demo-agent wants to call a tool for parser ━━━━━━━━━━━━━━━━━━━━━━━",
        " ┃ Tool      fs/write_file (claims not believed)",
        " ┃ Risk      may destroy · rule: rules[0] fs/write_*",
        " ┃ 1 value hidden: 7 characters",
        " ┃ Writes    src/\\u202egnp.sh (2 lines, whole: may replace what is there)",
        " ┃   1 + set -eu",
        " ┃   2 + \\u001b[2Jecho",
        " ┃ Arguments",
        " ┃   {",
        " ┃     "path": "src/\\u202egnp.sh",",
        " ┃     "apiKey": [masked, 7 characters],",
        " ┃     "content": [shown above],",
        " ┃     "mode": 420",
        " ┃   }",
        " ┃ May this call run?",
        " Y allow once · N deny · A always… · H reveal · W ask · Esc back · ? help",
      ]
    `);
  });

  it('has what there is to say of it below its column on a large screen, and its keys once', () => {
    const left = aCallQuestion({ isAwaited: false });
    const { lines } = show(deciding(left), [200, 60]).stdout;
    const column = lines[1]?.lastIndexOf('┬') ?? 0;
    const said = lines.findIndex((line) => line.includes('No agent waits'));
    expect(lines[said]?.search(/\S/)).toBe(column + 2);
    const keys = lines.filter((line) => line.includes('Y allow once'));
    expect(keys).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^ Esc back · \? help/);
  });

  it('has its place on a large screen', () => {
    expect(show(deciding(call), [200, 60]).stdout.lines.slice(0, 20)).toMatchInlineSnapshot(`
      [
        " ■ blocked  Checkout rewrite  ━━━━━━────────────── 1 of 3 done · 1 blocked · 1 pending                                                                                ? 1 approval   last event 3 s ago",
        "── Tasks ─────────────────────────────────────┬─ [1 Output]  2 Task  3 Changes  4 Events  5 Calls  6 States ─────┬━━ Approval · demo-agent wants to call a tool for parser ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        " ✔ done      schema                           │ No output yet                                                    │ ┃ Tool      fs/write_file (claims not believed)",
        "›■ blocked   parser                  2/3 12 s │                                                                  │ ┃ Risk      may destroy · rule: rules[0] fs/write_*",
        " ○ pending   docs                             │                                                                  │ ┃ 1 value hidden: 7 characters",
        "── parser ────────────────────────────────────┤                                                                  │ ┃ Writes    src/\\u202egnp.sh (2 lines, whole: may replace what is there)",
        " State     blocked: waits for an answer, 12 s │                                                                  │ ┃   1 + set -eu",
        " Attempt   2/3                                │                                                                  │ ┃   2 + \\u001b[2Jecho",
        " File      parser.md                          │                                                                  │ ┃ Arguments",
        "                                              │                                                                  │ ┃   {",
        "                                              │                                                                  │ ┃     "path": "src/\\u202egnp.sh",",
        "                                              │                                                                  │ ┃     "apiKey": [masked, 7 characters],",
        "                                              │                                                                  │ ┃     "content": [shown above],",
        "                                              │                                                                  │ ┃     "mode": 420",
        "                                              │                                                                  │ ┃   }",
        "                                              │                                                                  │ ┃ May this call run?",
        "                                              │                                                                  │   Y allow once   N deny   A always…   H reveal   W ask",
        "                                              │                                                                  │",
        "                                              │                                                                  ├── Task · parser ─────────────────────────────────────────────────────────────────────",
        "── Events of the sprint ──────────────────────┤                                                                  │ Reading…",
      ]
    `);
  });

  it('has its place on a small one', () => {
    expect(show(deciding(call), [40, 10]).stdout.lines).toMatchInlineSnapshot(`
      [
        " ■ blocked  Check…  1/3   ? 1 approval",
        "━━ Approval · parser ━ lines 1–6 of 18 ━",
        " ┃ Tool      fs/write_file (claims not",
        " ┃   ↪ believed)",
        " ┃ Risk      may destroy",
        " ┃ Rule      rules[0] fs/write_*",
        " ┃ 1 value hidden: 7 characters",
        " ┃ Writes    src/\\u202egnp.sh (2 lines,",
        " ┃ May this call run? Read it all first",
        " N deny · H reveal · ↓/PgDn more",
      ]
    `);
  });

  it('says how much of a long call is shown, and asks for its end first', async () => {
    const { stdout, stdin, press } = show(deciding(long));
    expect(stdout.lines.join('\n')).toContain('lines 1–20 of 35');
    expect(stdout.lines.slice(-2)).toEqual([
      ' ┃ May this call run? Read it all first',
      ' N deny · ↓/PgDn more · W ask · Esc back · ? help · ^C stop',
    ]);
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('y');
    await soon(() => expect(stdout.lines).toContain(' Read it all first: PgDn, Down or End'));
    press('\u001B[B');
    await soon(() => expect(stdout.lines.join('\n')).toContain('lines 2–21 of 35'));
    press('\u001B[F');
    await soon(() => expect(stdout.lines.join('\n')).toContain('lines 16–35 of 35'));
    expect(stdout.lines.at(-2)).toBe(' ┃ May this call run?');
  });

  it('offers no yes, and says why, until it was compared with the files that its agent would change', async () => {
    const own = { ...approval, server: '@opencode', tool: 'edit', isOwn: true } as const;
    const { stdout, actor } = show(deciding(aCallQuestion({ approval: own })));
    expect(stdout.lines.at(-2)).toBe(' ┃ May this call run? It is being compared with its files…');
    expect(stdout.lines.at(-1)).toMatch(/^ N deny/);
    const files = new Map([['q-1', new Map()]]);
    actor.send({ type: 'compared-files', files, seen: new Map([['q-1', '']]), foldable: new Set() });
    await soon(() => expect(stdout.lines.at(-1)).toMatch(/^ Y allow once/));
  });

  it('shows what is hidden on one key, and asks for the new end first', async () => {
    const hides = aCallQuestion({
      approval: {
        ...approval,
        args: { text: '[hidden: 9 characters]' },
        hidden: { values: 1, characters: 9, lines: 1 },
      },
    });
    const { stdout, stdin, actor, press } = show({ ...deciding(hides), readToEnd: new Set(['q-1']) });
    expect(stdout.lines).toContain(' ┃ 1 value hidden: 9 characters');
    const effects: string[] = [];
    actor.on('reveal', ({ id }) => {
      effects.push(id);
      actor.send({ type: 'revealed', id, whole: { args: { password: 'abc', text: Array(40).fill('x') } } });
    });
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('H');
    await soon(() => expect(stdout.lines).toContain(' ┃     "password": "abc",'));
    expect(effects).toEqual(['q-1']);
    expect(stdout.lines.join('\n')).not.toContain('hidden');
    expect(stdout.lines.slice(-2)).toEqual([
      ' ┃ May this call run? Read it all first',
      ' N deny · ↓/PgDn more · W ask · Esc back · ? help · ^C stop',
    ]);
  });

  it('says that what is hidden cannot be shown any more', async () => {
    const { stdout, stdin, actor, press } = show(deciding(call));
    actor.on('reveal', ({ id }) => actor.send({ type: 'revealed', id, whole: undefined }));
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('h');
    await soon(() =>
      expect(stdout.lines).toContain(
        ' Not shown: the process that made the call is gone, or on another machine',
      ),
    );
    expect(stdout.lines).toContain(' ┃     "apiKey": [masked, 7 characters],');
  });

  it('offers the scopes, and says what they are for', () => {
    expect(show(scope('sprint')).stdout.lines.slice(-6)).toMatchInlineSnapshot(`
      [
        " ┃",
        " ┃  1  In this task: every call of fs/write_file",
        " ┃ ›2  In this sprint: every call of fs/write_file",
        " ┃  3  Always: every call of fs/write_file",
        " Whatever the arguments, while the tool is defined as it is now",
        " 1 task · 2 sprint · 3 always · ↑/↓ pick · Enter allow · Esc back",
      ]
    `);
  });

  it("says that a yes for longer to an agent's own tool is for exactly that call", () => {
    const own = aCallQuestion({
      approval: { ...approval, server: '@opencode', tool: 'execute', isOwn: true, args: { command: 'ls' } },
    });
    const focus = { at: 'scope', isArmed: true, picked: undefined } as const;
    expect(show({ ...deciding(own), focus }).stdout.lines.slice(-5, -1)).toEqual([
      ' ┃  1  In this task: exactly this call: ls',
      ' ┃  2  In this sprint: exactly this call: ls',
      ' ┃  3  Always: exactly this call: ls',
      ' As often as exactly this is asked for: with anything else you are asked again',
    ]);
  });

  it('shows all scopes on the smallest screen', () => {
    for (const size of [
      [40, 10],
      [60, 10],
    ] as const) {
      const { lines } = show(scope(), [...size]).stdout;
      expect(lines).toHaveLength(10);
      expect(lines.slice(-5, -2).map((line) => line.slice(0, 20))).toEqual([
        ' ┃  1  In this task:',
        ' ┃  2  In this sprin',
        ' ┃  3  Always: every',
      ]);
      unmount();
    }
  });

  it('takes a reason for a no', () => {
    const denying: ScreenState = { ...deciding(call), focus: { at: 'reject', back: 'arming' } };
    expect(show(denying).stdout.lines.slice(-6)).toMatchInlineSnapshot(`
      [
        " ┃",
        "╭──────────────────────────────────────────────────────────────────────────────╮",
        "│ >  Reason, if you like                                                       │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
        " Denying this call: the agent is told, with your reason if you give one",
        " Enter deny · Esc back · Alt+Enter line · ^G editor",
      ]
    `);
    unmount();
    const typed = { ...denying, reasons: new Map([['q-1', { text: 'Not there', cursor: 9 }]]) };
    expect(show(typed).stdout.lines.at(-4)).toMatch(/^│ > Not there +│$/);
  });

  it('says what is going on where keys decide nothing', () => {
    const state = deciding(call);
    expect(show({ ...state, focus: { at: 'arming', dropped: 0 } }).stdout.lines.slice(-2)).toEqual([
      ' ┃ May this call run? …',
      '',
    ]);
    unmount();
    expect(show({ ...state, focus: { at: 'arming', dropped: 1 } }).stdout.lines.at(-2)).toBe(
      ' ┃ May this call run? Too early: wait 2 s, each key starts that anew',
    );
    unmount();
    const left: ScreenState = { ...deciding(long), focus: { at: 'sprint' } };
    expect(show(left).stdout.lines.slice(-2)).toEqual([
      ' ┃ May this call run? i: decide',
      ' i decide · PgDn more · Tab switch · q stop · ← past · ? help · : commands',
    ]);
    unmount();
    const sent = { ...left, sending: new Set(['q-1']) };
    expect(show(sent).stdout.lines.at(-2)).toBe(' ┃ May this call run? Recording…');
  });

  it('keeps its keys in sight after a wrong one, marked as doing nothing yet, and says why that did nothing', () => {
    const wrong = pressKey(deciding(call), { text: 'k' }, { room, emit: () => {} });
    expect(show(wrong).stdout.lines.slice(-2)).toEqual([
      ' ┃ May this call run? Not a key here: wait 2 s, each key starts that anew',
      '…Y allow once · N deny · A always… · H reveal · W ask · Esc back · ? help',
    ]);
    unmount();
    const again = pressKey(wrong, { text: 'y' }, { room, emit: () => {} });
    const { lines } = show(again, [200, 40]).stdout;
    const [said, keys] = lines.slice(lines.findIndex((line) => line.includes('May this call run?')));
    expect([said, keys].map((line) => line?.split('│').at(-1))).toEqual([
      ' ┃ May this call run? Too early: wait 2 s, each key starts that anew',
      ' … Y allow once   N deny   A always…   H reveal   W ask',
    ]);
  });

  it('says when no call waits any more, and which of several questions it is', () => {
    const alone = aCallQuestion({ id: 'q-2', isAwaited: false });
    const { lines } = show({ ...deciding(aQuestion(), alone), current: 'q-2' }).stdout;
    expect(lines).toContain(' No agent waits: a yes counts when the agent makes the call again');
    expect(lines.join('\n')).toContain('Approval, 2 of 2 open · demo-agent wants to call a tool for parser');
    expect(lines.at(-1)).toBe(' Y allow once · N deny · A always… · E edit… · W ask · Esc back · ? help');
  });

  it('keeps the key for calls that are alike, and the way back, before the way out', () => {
    const alike = [call, aCallQuestion({ ...call, id: 'q-2' })];
    const { lines } = show(deciding(...alike)).stdout;
    expect(lines.at(-1)).toBe(' Y allow once · N deny · A always… · S same… · H reveal · Esc back · ? help');
  });

  it('says above the card what an agent wants with a tool of its own, as far as there is room', () => {
    const titleOf = (tool: string, args: Approval['args'], columns: number, folder?: string) => {
      const own = { ...approval, server: '@opencode', tool, isOwn: true, args } as const;
      const { lines } = show(deciding(aCallQuestion({ approval: own, folder })), [columns, 24]).stdout;
      unmount();
      return lines.find((line) => line.startsWith('━━ Approval'))?.replaceAll(/ ?[━┷]+ ?/g, '');
    };
    expect(titleOf('execute', { command: 'ls' }, 80)).toBe(
      'Approval · demo-agent wants to run a command for parser',
    );
    const edit = { path: 'src/a\u202e.ts', oldText: 'a', newText: 'b' };
    const wants = String.raw`Approval · demo-agent wants to change src/a\u202e.ts`;
    expect(titleOf('edit', edit, 80)).toBe(`${wants} for parser`);
    expect(titleOf('edit', edit, 64)).toBe(wants);
    const whole = { ...edit, path: `/p/${edit.path}` };
    expect(titleOf('edit', whole, 80, '/p')).toBe(`${wants} for parser`);
    expect(titleOf('edit', whole, 80, '/q')).toContain('wants to change /p/src');
    expect(titleOf('delete', { path: 'a.ts' }, 80)).toBe(
      'Approval · demo-agent wants to call a tool for parser',
    );
  });

  it('does not take keys by being there while it cannot be seen', async () => {
    const arming = initialState({ isOwner: true, sprint: aBlockedSprint(call) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const small = show(arming, [39, 9]);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(small.actor.getSnapshot().context.focus.at).toBe('arming');
      unmount();
      const large = show(arming);
      await vi.advanceTimersByTimeAsync(300);
      expect(large.actor.getSnapshot().context.focus.at).toBe('arming');
      await vi.advanceTimersByTimeAsync(10_000);
      await vi.waitFor(() => expect(large.actor.getSnapshot().context.focus.at).toBe('decide'));
    } finally {
      vi.useRealTimers();
    }
  });
});
