import type { PathState, Passage } from '../../../views/events/machine-path.ts';

/** A place of a rectangle, in pixels. */
export type Rectangle = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** An outer state with those inside of it, where they are drawn. */
export type PlacedState = Rectangle & {
  readonly state: PathState;
  readonly children: readonly (Rectangle & { readonly state: PathState })[];
};

/** A way between two outer states: an SVG path with the point where its number stands. */
export type PlacedWay = {
  readonly passage: Passage;
  readonly d: string;
  readonly x: number;
  readonly y: number;
};

/** A diagram with everything in its place. */
export type Drawing = {
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly ways: readonly PlacedWay[];
};

const HEAD = 34;
const CHILD = 30;
const GAP = 6;
const PAD = 10;
/** Between a way and the one back. */
const LANE = 9;
/** How far an arc stands out, for each state that it passes. */
const ARC = 26;
/** Between the ends of two arcs at one state. */
const APART = 13;

const sizes = {
  wide: { width: 122, between: 46 },
  tall: { width: 196, between: 46 },
} as const;

/** Places the states of a machine in a row, or, where there is little room, below one another. */
export function layOut(states: readonly PathState[], passages: readonly Passage[], isTall: boolean): Drawing {
  const { width, between } = isTall ? sizes.tall : sizes.wide;
  const heights = states.map(({ children }) => heightOf(children.length));
  const tallest = Math.max(...heights);
  const margin = arcRoom(states, passages);
  let along = 2;
  const placed = states.map((state, at): PlacedState => {
    const height = heights[at] ?? HEAD;
    const x = isTall ? margin.before : along;
    const y = isTall ? along : margin.before + (tallest - height) / 2;
    along += (isTall ? height : width) + between;
    const children = state.children.map((child, row) => ({
      state: child,
      x: x + PAD,
      y: y + HEAD + row * (CHILD + GAP),
      width: width - 2 * PAD,
      height: CHILD,
    }));
    return { state, x, y, width, height, children };
  });
  const length = along - between + 2;
  const across = (isTall ? width : tallest) + margin.before + margin.after;
  const ways = passages.flatMap((passage) => wayOf(passage, placed, isTall) ?? []);
  return { width: isTall ? across : length, height: isTall ? length : across, states: placed, ways };
}

function heightOf(children: number): number {
  return children === 0 ? HEAD + PAD / 2 : HEAD + children * CHILD + (children - 1) * GAP + PAD;
}

/** Room beside the states for the arcs over others: those that lead on are before them, those back behind. */
function arcRoom(
  states: readonly PathState[],
  passages: readonly Passage[],
): { before: number; after: number } {
  const steps = passages.map(({ from, to }) => indexOf(states, to) - indexOf(states, from));
  const on = Math.max(0, ...steps.filter((step) => step > 1));
  const back = Math.max(0, ...steps.filter((step) => step < -1).map((step) => -step));
  const room = (step: number) => (step === 0 ? 12 : ARC * (step - 1) + 22);
  return { before: room(on), after: room(back) };
}

function indexOf(states: readonly PathState[], id: string): number {
  return states.findIndex((state) => state.id === id);
}

function wayOf(passage: Passage, placed: readonly PlacedState[], isTall: boolean): PlacedWay | undefined {
  const [fromAt, toAt] = [passage.from, passage.to].map((id) =>
    placed.findIndex(({ state }) => state.id === id),
  );
  const [from, to] = [placed[fromAt ?? -1], placed[toAt ?? -1]];
  if (!from || !to || fromAt === undefined || toAt === undefined) return undefined;
  const step = toAt - fromAt;
  return Math.abs(step) === 1
    ? straight(passage, from, to, isTall)
    : arc(passage, { from, to, step, isTall });
}

function straight(passage: Passage, from: Rectangle, to: Rectangle, isTall: boolean): PlacedWay {
  if (isTall) {
    const isOn = to.y > from.y;
    const x = from.x + from.width / 2 + (isOn ? -LANE : LANE);
    const [y1, y2] = isOn ? [from.y + from.height, to.y] : [from.y, to.y + to.height];
    return { passage, d: `M${x} ${y1}V${y2}`, x, y: (y1 + y2) / 2 };
  }
  const isOn = to.x > from.x;
  const y = from.y + from.height / 2 + (isOn ? -LANE : LANE);
  const [x1, x2] = isOn ? [from.x + from.width, to.x] : [from.x, to.x + to.width];
  return { passage, d: `M${x1} ${y}H${x2}`, x: (x1 + x2) / 2, y };
}

type Arc = {
  readonly from: Rectangle;
  readonly to: Rectangle;
  readonly step: number;
  readonly isTall: boolean;
};

function arc(passage: Passage, { from, to, step, isTall }: Arc): PlacedWay {
  const isOn = step > 0;
  // Ways that end at the same state end beside each other, with room between the heads of their arrows.
  const shiftAt = (size: number) => (isOn ? 1 : -1) * Math.min(Math.abs(step) * APART, size / 2 - 14);
  const reach = ARC * (Math.abs(step) - 1) + 12;
  if (isTall) {
    const edge = isOn ? from.x : from.x + from.width;
    const x = isOn ? edge - reach : edge + reach;
    const [y1, y2] = [
      from.y + from.height / 2 + shiftAt(from.height),
      to.y + to.height / 2 - shiftAt(to.height),
    ];
    return { passage, d: curve([edge, y1], [x, y1], [x, y2], [edge, y2]), x, y: (y1 + y2) / 2 };
  }
  const [edge1, edge2] = isOn ? [from.y, to.y] : [from.y + from.height, to.y + to.height];
  const y = isOn ? Math.min(edge1, edge2) - reach : Math.max(edge1, edge2) + reach;
  const [x1, x2] = [from.x + from.width / 2 + shiftAt(from.width), to.x + to.width / 2 - shiftAt(to.width)];
  return { passage, d: curve([x1, edge1], [x1, y], [x2, y], [x2, edge2]), x: (x1 + x2) / 2, y };
}

type Point = readonly [x: number, y: number];

/** Three straight lines with round corners. */
function curve(a: Point, b: Point, c: Point, d: Point): string {
  const radius = 10;
  const towards = (from: Point, to: Point): Point => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const part = Math.min(radius, length / 2) / length;
    return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
  };
  const point = ([x, y]: Point) => `${round(x)} ${round(y)}`;
  const corner = (before: Point, at: Point, after: Point) =>
    `L${point(towards(at, before))}Q${point(at)} ${point(towards(at, after))}`;
  return `M${point(a)}${corner(a, b, c)}${corner(b, c, d)}L${point(d)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
