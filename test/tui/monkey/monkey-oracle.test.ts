import { describe, expect, it, vi } from 'vitest';
import { MonkeyEyes } from '../../helpers/monkey-eyes.ts';
import { MonkeyOracle, type Seen } from '../../helpers/monkey-oracle.ts';
import { OversizeTerminal } from '../../helpers/oversize-terminal.ts';

const answering: Seen = {
  hints: 'Enter answer · ↑/↓ choose',
  shown: new Map([['Q1x', 5_000]]),
  before: '',
  place: 'now',
  marked: [],
  hasAgents: false,
  isStopping: false,
  isTogether: false,
};
const answer = { what: 'answered', about: 'Q1x' };

/** The oracle after these keys, one after the other, before a frame with this. */
function after(keys: readonly string[], seen: Partial<Seen> = {}): MonkeyOracle {
  const oracle = new MonkeyOracle();
  for (const key of keys) oracle.pressed(key, { ...answering, ...seen });
  return oracle;
}

describe("what the monkey's keys ask for", () => {
  it('is each one thing, whichever of them is recorded first', () => {
    // Enter may leave, too: the one that did is q, since only Enter answers.
    for (const decided of [
      [{ what: 'stop q' }, answer],
      [answer, { what: 'stop q' }],
    ]) {
      const oracle = after(['\r', 'q']);
      expect(decided.map((each) => oracle.happened(each))).toEqual([true, true]);
      expect(oracle.happened({ what: 'stop q' })).toBe(false);
      expect(oracle.happened(answer)).toBe(false);
    }
  });

  it('is nothing where a click is all there was, or another question is shown', () => {
    expect(after(['\u001B[<0;5;4M']).happened(answer)).toBe(false);
    expect(after(['\r']).happened({ what: 'answered', about: 'Q2x' })).toBe(false);
  });

  it('is about whatever is asked about where the name of that is out of sight', () => {
    const asked = { hints: 'y dismiss · n keep', shown: new Map([['Dismiss this question?', 1_000]]) };
    expect(after(['y'], asked).happened({ what: 'dismissed', about: 'Q1x' })).toBe(true);
  });

  it('is nothing where keys came together, in one piece or without a pause, and one is to decide', () => {
    const asked = { hints: 'y dismiss · n keep', shown: new Map([['Dismiss this question?', 1_000]]) };
    const dismissed = { what: 'dismissed', about: 'Q1x' };
    for (const chunk of ['yy', '\u001BOyy', '\u001B[Ay', 'y\r'])
      expect(after([chunk], asked).happened(dismissed)).toBe(false);
    expect(after(['y'], { ...asked, isTogether: true }).happened(dismissed)).toBe(false);
    expect(after(['y'], asked).happened(dismissed)).toBe(true);
    expect(after(['a\r']).happened(answer)).toBe(false);
    expect(after(['\r'], { isTogether: true }).happened(answer)).toBe(false);
  });

  it('is the way out only where nothing can be seen', () => {
    const oracle = after(['\r', 'q', '\u0003'], { place: 'too-small' });
    const decided = [answer, { what: 'stop q' }, { what: 'start' }, { what: 'left' }];
    expect(decided.map((each) => oracle.happened(each))).toEqual([false, false, false, true]);
  });

  it('is over once all of it has been recorded that is', () => {
    const oracle = after(['\r']);
    oracle.settle();
    expect(oracle.happened(answer)).toBe(false);
  });
});

it.each([
  [
    'beside and above what else is shown',
    [
      '── Tasks ──┬─ [1 Output] ───┬── Skip docs ─────────────────',
      '›● docs    │ No output yet  │╭────────────────────────────╮',
      '           │                │╰────────────────────────────╯',
      '           │                │   y skip it   n no',
      '           │                ├── States · docs ─────────────',
      '           │                │ ╭──────╮   ┃',
      '           │                │ │ idle │◀━━┛',
      '           │                │   working',
      '  Skip docs? y/n',
      '',
    ],
  ],
  [
    'beside a diagram',
    [
      '── Tasks ──┬─ [6 States] ───┬━━ Skip docs ━━━━━━━━━━━━━━━━━',
      '›● docs    │ │ pending │    │╭────────────────────────────╮',
      '           │ ╰──┳──────╯    │╰────────────────────────────╯',
      '           │    ┃ started   │   y skip it   n no',
      '           │ ╭──▼─────╮     ├── Output · docs ─────────────',
      '           │ │ active │     │ line',
      '           │ ╰────────╯     │',
      '  Skip docs? y/n',
      '',
    ],
  ],
])('the keys below a box for a text are seen where they stand %s', async (_, frame) => {
  const terminal = new OversizeTerminal(60, 12);
  const eyes = new MonkeyEyes(terminal);
  terminal.write(frame.join('\n'));
  await vi.waitFor(() => expect(terminal.isDirty).toBe(true));
  eyes.look();
  expect(eyes.hints.split(' · ').at(-1)).toBe('   y skip it   n no');
  terminal.dispose();
});
