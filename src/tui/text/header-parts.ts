import { cellsOf, fit } from '../../lib/text/cells.ts';
import { count } from '../../lib/text/count.ts';
import { countEnded } from '../../views/sprints/progress.ts';
import type { ScreenView } from '../../views/sprints/sprint-view.ts';

/** The first line of a screen, by its parts. What there is no room for is empty. */
export type HeaderParts = {
  readonly name: string;
  /** Cells of the bar that says how much is over. */
  readonly bar: number;
  readonly counts: string;
  /** What waits for a human. */
  readonly open: string;
  /** Cells for how long ago something happened, and whether it is said in full. */
  readonly life: 'long' | 'short' | 'none';
};

type HeaderContents = Pick<ScreenView, 'name' | 'open'> & {
  /** Those that the counts and the bar are about. */
  readonly tasks: ScreenView['tasks'];
  /** Cells of the sign and the word before the name. */
  readonly head: number;
  readonly columns: number;
  /** Stands at the end in place of how long ago something happened. */
  readonly fixed: string | undefined;
  /** It is a moment of the past: what was asked is said with a word of it. Default: it waits now. */
  readonly isPast?: boolean;
  /** How many tasks stand how, in full. */
  readonly states: string;
};

/** Cells between two parts. */
export const GAP = 2;
/** Stands in the past behind what was asked, in place of the ground of what waits. */
export const WAITED = ' waited';
/** `last event 59 min ago`, `quiet 59 min`. */
const LIFE_CELLS = { long: 21, short: 12, none: 0 } as const;
/** As many cells of a name are kept as long as anything else can be shortened. */
const NAME_KEPT = 14;
/** And so many as long as there is more than the count of what is done. */
const NAME_WANTED = 24;
/** A name of so many cells stands whole before there is a bar, or how long ago something happened in full. */
const NAME_WHOLE = 40;
/** Before it has fewer, what waits for a human is a number without a word. */
const NAME_LEAST = 5;

/** So many of the choices say all that a person looks for: how much is done, what failed, and that something waits. */
const RICH = 8;

type Choice = Omit<HeaderParts, 'name'>;

/** What fits into the line: the count of what is done and what waits for a human stay, whatever the name is. */
export function headerParts(contents: HeaderContents): HeaderParts {
  const { name, head, columns, fixed, isPast = false } = contents;
  const choices = choicesFor(contents);
  const roomFor = ({ bar, counts, open, life }: Choice) => {
    const end = fixed === undefined ? LIFE_CELLS[life] : cellsOf(fixed);
    const badge = open === '' ? 0 : cellsOf(open) + (isPast ? WAITED.length : 4);
    const parts = [bar, cellsOf(counts), badge, end].filter((cells) => cells > 0);
    // Between the bar and its count there is one blank.
    const gaps = parts.length * GAP - (bar > 0 ? 1 : 0);
    return columns - 2 - head - parts.reduce((sum, cells) => sum + cells, 0) - gaps;
  };
  const kept = ({ counts }: Choice) =>
    Math.min(counts === contents.states ? NAME_WANTED : NAME_KEPT, cellsOf(name));
  const last = choices.at(-1) ?? { bar: 0, counts: '', open: '', life: 'none' };
  const least = Math.min(NAME_LEAST, cellsOf(name));
  const whole = Math.min(NAME_WHOLE, cellsOf(name));
  const wanted = Math.min(NAME_WANTED, cellsOf(name));
  const rich = choices.slice(0, RICH);
  const choice =
    rich.find((each) => roomFor(each) >= whole) ??
    rich.find((each) => roomFor(each) >= wanted) ??
    choices.slice(0, -1).find((each) => roomFor(each) >= kept(each)) ??
    choices.slice(-2).find((each) => roomFor(each) >= least) ??
    last;
  return { ...choice, name: fit(name, Math.max(0, roomFor(choice))) };
}

/** From all there is to say to what has to be said. */
function choicesFor({ tasks, open, states, fixed, isPast }: HeaderContents): Choice[] {
  const done = countEnded(tasks, 'completed');
  const short = tasks.length === 0 ? '' : `${done}/${tasks.length}`;
  const failed = countEnded(tasks, 'failed');
  const others = failed === 0 ? '' : `, ${failed} failed`;
  const long = tasks.length === 0 ? '' : `${done} of ${tasks.length} done${others}`;
  const brief = `${short}${others}`;
  const [openLong, openShort] = openTexts(open);
  const bars = tasks.length === 0 ? [0, 0] : [20, 10];
  const [wide = 0, small = 0] = bars;
  const life = fixed === undefined ? 'long' : 'none';
  const shortLife = fixed === undefined ? 'short' : 'none';
  return [
    { bar: wide, counts: states, open: openLong, life },
    { bar: small, counts: states, open: openLong, life },
    { bar: small, counts: long, open: openLong, life },
    { bar: small, counts: long, open: openLong, life: shortLife },
    { bar: small, counts: brief, open: openLong, life: shortLife },
    { bar: 0, counts: long, open: openLong, life: shortLife },
    { bar: 0, counts: brief, open: openLong, life: shortLife },
    { bar: 0, counts: brief, open: openShort, life: shortLife },
    { bar: 0, counts: short, open: openShort, life: shortLife },
    { bar: 0, counts: short, open: openShort, life: 'none' },
    { bar: 0, counts: short, open: open.length === 0 || isPast ? '' : `${open.length}`, life: 'none' },
  ];
}

/** `1 question, 2 approvals`, and `3 open` where that is too long. */
function openTexts(open: ScreenView['open']): readonly [string, string] {
  if (open.length === 0) return ['', ''];
  const approvals = open.filter(({ approval }) => approval !== undefined).length;
  const parts = [
    ...(open.length > approvals ? [count(open.length - approvals, 'question')] : []),
    ...(approvals > 0 ? [count(approvals, 'approval')] : []),
  ];
  return [parts.join(', '), parts.length === 1 ? parts.join() : `${open.length} open`];
}
