import type { Diagram, DiagramTransition } from '../../machines/diagram/model.ts';
import { plainWordOf } from '../../machines/status-words.ts';
import type { MachineMove } from '../../workflow/history/task-tracks.ts';
import { movingBetween, type Moving } from './move-title.ts';

/** A state as it was gone through. */
export type PathState = {
  readonly id: string;
  readonly name: string;
  /** It, or a state in it, is the one that holds. */
  readonly isNow: boolean;
  /** How often it was entered, or a state in it from outside. */
  readonly visits: number;
  readonly children: readonly PathState[];
};

/** A transition that was taken; the end of an agent is part of what it led to. */
export type PathStep = Moving & {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** When it was taken last. */
  readonly time: string;
};

/** A machine's states and transitions, which of them something has gone through, and where it stands. */
export type MachinePath = {
  readonly now: string;
  readonly states: readonly PathState[];
  readonly transitions: readonly DiagramTransition[];
  /** The latest first. */
  readonly steps: readonly PathStep[];
  /** How many transitions were taken, one after the other. */
  readonly length: number;
};

/** The way that something went through the states of its machine. `now` is the state that it is in. */
export function machinePath(
  { states, transitions }: Diagram,
  moves: readonly MachineMove[],
  now: string,
): MachinePath {
  const taken = withoutEnds(
    moves.filter(({ from, to, event }) => from !== to || isThere(transitions, from, to, event)),
  );
  const byWay = Map.groupBy(taken.toReversed(), (move) => JSON.stringify(wayOf(move)));
  const steps = [...byWay.values()].flatMap((of): PathStep[] => {
    const [last] = of;
    return last ? [{ ...wayOf(last), count: of.length, time: last.time }] : [];
  });
  const entered = (id: string) => taken.filter(({ from, to }) => isIn(to, id) && !isInside(from, id)).length;
  /** `isFirst`: where they are, the machine began. */
  const describe = (of: Diagram['states'], isFirst: boolean): PathState[] =>
    of.map(({ id, name, isInitial, children }) => {
      const begins = isFirst && isInitial;
      const visits = entered(id) + (begins ? 1 : 0);
      return { id, name, isNow: isIn(now, id), visits, children: describe(children, begins) };
    });
  return { now, states: describe(states, true), transitions, steps, length: taken.length };
}

/**
 * The machine waits for the next agent as soon as one is gone, and what that leads to often follows at once: whoever reads has
 * gone from where the agent was to there, and nothing has been started.
 */
function withoutEnds(moves: readonly MachineMove[]): MachineMove[] {
  const ways: MachineMove[] = [];
  for (const move of moves) {
    const before = ways.at(-1);
    if (before && isEnd(before)) ways.splice(-1, 1, { ...move, from: before.from });
    else ways.push(move);
  }
  return ways;
}

function isEnd({ event }: MachineMove): boolean {
  return event === 'agent.exited' || event === 'agent.lost';
}

/** Where the machine can go from the state that it is in, by event. */
export function waysOn({ now, transitions }: MachinePath): readonly (readonly [Moving, readonly string[]])[] {
  const ways = transitions
    .filter(({ source }) => isIn(now, source))
    .map(({ event, target }) => ({ moving: movingBetween(event, now, target), target }));
  return [...Map.groupBy(ways, ({ moving }) => JSON.stringify(moving)).values()].flatMap((of) => {
    const [first] = of;
    return first ? [[first.moving, [...new Set(of.map(({ target }) => target))]] as const] : [];
  });
}

/** A state for people, by its id: `blocked.question` is `blocked: question`, and `done.failed` is `failed`. */
export function stateText(id: string): string {
  const [word = id, detail] = id.split('.');
  const plain = plainWordOf(word, detail);
  return detail === undefined || plain !== word || word === 'done' ? plain : `${word}: ${detail}`;
}

/** An outermost state for people: what failed is over, too, and not done. */
export function outerText(name: string): string {
  return name === 'done' ? 'ended' : name;
}

/** How often a way between two outermost states was taken, and by which events; those that were not, where none was. */
export type Passage = {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly events: readonly Moving[];
};

/** The ways between outermost states, in the order of the machine. */
export function passagesOf({ now, transitions, steps }: MachinePath): Passage[] {
  const between = transitions
    .map(({ source, target, event }) => ({
      from: outer(source),
      to: outer(target),
      moving: movingBetween(event, isIn(now, source) ? now : source, target),
    }))
    .filter(({ from, to }) => from !== to);
  return [...Map.groupBy(between, ({ from, to }) => `${from} ${to}`).values()].flatMap((of): Passage[] => {
    const [first] = of;
    if (!first) return [];
    const { from, to } = first;
    const taken = steps.filter((step) => outer(step.from) === from && outer(step.to) === to);
    const events = taken.length > 0 ? taken.map(movingOf) : of.map(({ moving }) => moving);
    const count = taken.reduce((sum, step) => sum + step.count, 0);
    const each = new Map(events.map((moving) => [JSON.stringify(moving), moving]));
    return [{ from, to, count, events: [...each.values()] }];
  });
}

/** How often a transition between these two states was taken; `undefined`: there is none. */
export function takenBetween({ transitions, steps }: MachinePath, from: string, to: string) {
  if (!transitions.some(({ source, target }) => source === from && target === to)) return undefined;
  return steps.reduce((sum, step) => sum + (step.from === from && step.to === to ? step.count : 0), 0);
}

function wayOf({ from, to, event, isOfCall }: MachineMove): Omit<PathStep, 'count' | 'time'> {
  return { from, to, ...(isOfCall ? { event, isOfCall } : movingBetween(event, from, to)) };
}

function movingOf({ event, isOfCall }: Moving): Moving {
  return { event, ...(isOfCall && { isOfCall }) };
}

function isThere(transitions: Diagram['transitions'], from: string, to: string, event: string): boolean {
  return transitions.some((way) => way.event === event && isIn(from, way.source) && isIn(to, way.target));
}

/** Who goes about in a state does not enter it. */
function isInside(state: string, id: string): boolean {
  return state !== id && isIn(state, id);
}

/** Whether a state is this one, or in it. */
function isIn(state: string, id: string): boolean {
  return state === id || state.startsWith(`${id}.`);
}

function outer(id: string): string {
  return id.split('.')[0] ?? id;
}
