import {
  passagesOf,
  takenBetween,
  type MachinePath,
  type Passage,
  type PathState,
} from '../../views/events/machine-path.ts';
import { LineCanvas } from './line-canvas.ts';
import type { SpanLine } from './spans.ts';

/** Columns that a frame and the blanks in it take. */
const FRAME = 4;
/** Columns of a line beside the frames. */
const LANE = 3;
/** Where the way to the next frame leaves. */
const DOWN_AT = 3;
/** Cells that a label has to have for it to be of use. */
const LEAST_LABEL = 8;
/** Wider than that, the eye does not find the way from a name to a line. */
const WIDEST = 72;

/** Ways that lead past other frames to one: they share a line beside them. */
type Lane = {
  readonly to: number;
  readonly from: readonly { readonly at: number; readonly passage: Passage }[];
};

/** A line that leaves a frame at its right side, or enters it there. */
type Port = { readonly lane: number; readonly passage?: Passage };

/** An outermost state as it is framed. */
type Frame = {
  readonly state: PathState;
  readonly top: number;
  readonly rows: readonly (readonly PathState[])[];
  readonly ports: readonly Port[];
  /** The row of the first of them; the others are below it. */
  readonly firstPort: number;
  readonly height: number;
};

/**
 * The states of a machine one below the other, the one that holds between ▶ and ◀, and the ways between them, heavy where
 * they were gone. `undefined`: there is no room for that in so many columns.
 */
export function diagramLines(path: MachinePath, width: number): SpanLine[] | undefined {
  const { states } = path;
  const names = states.map(({ id }) => id);
  const passages = passagesOf(path).map((passage) => ({
    passage,
    from: names.indexOf(passage.from),
    to: names.indexOf(passage.to),
  }));
  const isNext = ({ from, to }: { from: number; to: number }) => Math.abs(from - to) === 1;
  const lanes = lanesOf(passages.filter((each) => !isNext(each)));
  const frameWidth = Math.min(width, WIDEST) - LANE * lanes.length;
  const room = frameWidth - FRAME;
  const leaves = states.flatMap((state) => (state.children.length === 0 ? [state] : state.children));
  if (Math.max(...leaves.map((state) => nameOf(state).length)) > room) return undefined;

  const canvas = new LineCanvas();
  const frames: Frame[] = [];
  for (const [at, state] of states.entries()) {
    const before = frames.at(-1);
    const top = before ? before.top + before.height + 1 : 0;
    frames.push(frameOf(path, state, { top, room, ports: portsOf(lanes, at) }));
  }
  for (const frame of frames) drawFrame(canvas, path, frame, frameWidth);
  for (const { passage, from, to } of passages.filter(isNext)) {
    const [upper, lower] = [frames[Math.min(from, to)], frames[Math.max(from, to)]];
    const isAlone = !passages.some((other) => other.from === to && other.to === from);
    if (upper && lower) drawNext(canvas, passage, { upper, lower, isDown: from < to, isAlone, frameWidth });
  }
  for (const [at, lane] of lanes.entries()) drawLane(canvas, lane, at, { frames, frameWidth });
  return canvas.toLines();
}

/** What it is called, and how often it was entered; the one that holds is marked. */
function nameOf({ name, visits, isNow }: PathState): string {
  const text = visits > 0 ? `${name} ×${visits}` : name;
  return isNow ? `▶${text}◀` : text;
}

/** The shortest are nearest to the frames. */
function lanesOf(
  passages: readonly { readonly passage: Passage; readonly from: number; readonly to: number }[],
): Lane[] {
  const byTarget = Map.groupBy(passages, ({ from, to }) => `${to} ${Math.sign(to - from)}`);
  const lanes = [...byTarget.values()].flatMap((of): Lane[] => {
    const [first] = of;
    return first ? [{ to: first.to, from: of.map(({ passage, from: at }) => ({ at, passage })) }] : [];
  });
  const span = ({ to, from }: Lane) => Math.max(...from.map(({ at }) => Math.abs(at - to)));
  return lanes.toSorted((one, other) => span(one) - span(other));
}

/** In an order in which no line has to cross another one: those that go up above those that go down. */
function portsOf(lanes: readonly Lane[], at: number): Port[] {
  const up: Port[] = [];
  const down: Port[] = [];
  for (const [lane, { to, from }] of lanes.entries()) {
    const own = from.find((each) => each.at === at);
    const others = own ? [to] : to === at ? from.map((each) => each.at) : [];
    if (others.length === 0) continue;
    const port = own ? { lane, passage: own.passage } : { lane };
    if (others.every((other) => other < at)) up.push(port);
    else down.unshift(port);
  }
  return [...up, ...down];
}

function frameOf(
  path: MachinePath,
  state: PathState,
  { top, room, ports }: { readonly top: number; readonly room: number; readonly ports: readonly Port[] },
): Frame {
  const rows: PathState[][] = [[]];
  let taken = 0;
  for (const leaf of state.children.length === 0 ? [state] : state.children) {
    const before = rows.at(-1)?.at(-1);
    const needs = (before ? linkOf(path, before, leaf).length : 0) + nameOf(leaf).length;
    if (before && taken + needs > room) rows.push([]);
    taken = rows.at(-1)?.length === 0 ? nameOf(leaf).length : taken + needs;
    rows.at(-1)?.push(leaf);
  }
  const height = 2 + Math.max(rows.length, ports.length);
  return { state, top, rows, ports, firstPort: firstPortOf(rows, ports), height };
}

/** Beside the rows that leave most room for what leads along. */
function firstPortOf(rows: Frame['rows'], ports: readonly Port[]): number {
  const takenFrom = (first: number) =>
    ports.reduce((sum, { passage }, at) => (passage ? sum + takenBy(rows[first + at]) : sum), 0);
  const firsts = Array.from({ length: Math.max(0, rows.length - ports.length) + 1 }, (_, first) => first);
  return firsts.toSorted((one, other) => takenFrom(one) - takenFrom(other))[0] ?? 0;
}

/** Columns from the left side of a frame to what may stand beside these states. */
function takenBy(leaves: readonly PathState[] = []): number {
  return leaves.reduce((sum, leaf) => sum + nameOf(leaf).length + 4, 2);
}

/** What stands between two states that are side by side. */
function linkOf(path: MachinePath, left: PathState, right: PathState): string {
  const count = takenBetween(path, left.id, right.id);
  return count === undefined ? '   ' : count > 0 ? ' ━▶ ' : ' ─▶ ';
}

function drawFrame(canvas: LineCanvas, path: MachinePath, frame: Frame, width: number): void {
  const { state, top, rows, height } = frame;
  canvas.frame([0, top], [width - 1, top + height - 1]);
  if (state.children.length > 0)
    canvas.put(DOWN_AT + 2, top, ` ${state.name} `, state.visits > 0 ? 'bold' : 'dim');
  for (const [at, row] of rows.entries()) {
    let column = 2;
    for (const [place, leaf] of row.entries()) {
      const before = row[place - 1];
      const link = before ? linkOf(path, before, leaf) : '';
      const name = nameOf(leaf);
      canvas.put(column, top + 1 + at, link, link.includes('━') ? 'name' : 'dim');
      canvas.put(
        column + link.length,
        top + 1 + at,
        name,
        leaf.isNow ? 'lit' : leaf.visits > 0 ? 'plain' : 'dim',
      );
      column += link.length + name.length;
    }
  }
}

/** A way between two frames that are one below the other. */
function drawNext(
  canvas: LineCanvas,
  { count, events }: Passage,
  {
    upper,
    lower,
    isDown,
    isAlone,
    frameWidth,
  }: {
    readonly upper: Frame;
    readonly lower: Frame;
    readonly isDown: boolean;
    /** No way back stands beside it. */
    readonly isAlone: boolean;
    readonly frameWidth: number;
  },
): void {
  const row = lower.top - 1;
  const middle = Math.max(DOWN_AT + 2, Math.floor(frameWidth / 2) + 1);
  const column = isDown ? DOWN_AT : middle;
  const room = (isDown && !isAlone ? middle : frameWidth) - column - 3;
  canvas.line([column, row - 1], [column, row + 1], count > 0 ? 'heavy' : 'light');
  const [headRow, head] = isDown ? [lower.top, '▼'] : [upper.top + upper.height - 1, '▲'];
  canvas.put(column, headRow, head, count > 0 ? 'name' : 'dim');
  canvas.put(column + 2, row, labelOf(count, events, room), count > 0 ? 'plain' : 'dim');
}

/** The count first: it stays where there is no room for the rest. */
function labelOf(count: number, events: Passage['events'], room: number): string {
  const times = count > 0 ? `×${count} ` : '';
  const left = room - times.length;
  return times + (left < LEAST_LABEL ? '' : namesIn(events, left));
}

/**
 * As many names as there is room for, and how many more there are: `skipped +2`. Without their first part, which the list below
 * has, as on all other ways, and each once. None that is cut.
 */
function namesIn(all: Passage['events'], room: number): string {
  const events = [...new Set(all.map(({ event }) => event.slice(event.indexOf('.') + 1)))];
  const moreThan = (taken: number) => (taken < events.length ? ` +${events.length - taken}` : '');
  for (let taken = events.length; taken > 0; taken -= 1) {
    const text = events.slice(0, taken).join(', ') + moreThan(taken);
    if (text.length <= room) return text;
  }
  return '';
}

function drawLane(
  canvas: LineCanvas,
  { to, from }: Lane,
  lane: number,
  { frames, frameWidth }: { readonly frames: readonly Frame[]; readonly frameWidth: number },
): void {
  const column = frameWidth - 1 + LANE * (lane + 1);
  const rowOf = (at: number) => {
    const { top = 0, firstPort = 0, ports = [] } = frames[at] ?? {};
    return top + 1 + firstPort + ports.findIndex((port) => port.lane === lane);
  };
  // What was gone is drawn last, over what it shares.
  const entry = rowOf(to);
  for (const { at, passage } of from.toSorted((one, other) => one.passage.count - other.passage.count)) {
    const weight = passage.count > 0 ? 'heavy' : 'light';
    const row = rowOf(at);
    canvas.line([frameWidth - 1, row], [column, row], weight);
    canvas.line([column, row], [column, entry], weight);
    canvas.line([frameWidth, entry], [column, entry], weight);
    drawPortLabel(canvas, frames[at], passage, { row, frameWidth });
  }
  const isGone = from.some(({ passage }) => passage.count > 0);
  canvas.put(frameWidth, entry, '◀', isGone ? 'name' : 'dim');
}

/** In the frame that a line leaves: what leads along it, where there is room beside the states. */
function drawPortLabel(
  canvas: LineCanvas,
  frame: Frame | undefined,
  { count, events }: Passage,
  { row, frameWidth }: { readonly row: number; readonly frameWidth: number },
): void {
  if (!frame) return;
  const room = frameWidth - 2 - takenBy(frame.rows[row - frame.top - 1]);
  const label = labelOf(count, events, room).trimEnd();
  if (label.length > room) return;
  canvas.put(frameWidth - 2 - label.length, row, label, count > 0 ? 'plain' : 'dim');
}
