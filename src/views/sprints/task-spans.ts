import { taskOf, type StoredEvent } from '../../events/envelope.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';

/** A time in which an agent worked on a task, or the task waited for a human. In ms since 1970. */
export type TaskSpan = { readonly is: 'works' | 'waits'; readonly from: number; readonly to: number };

/** How it is with a task since when, and when it was last heard of. */
type Going = { readonly is: TaskSpan['is'] | undefined; readonly from: number; readonly at: number };

/** When tasks were worked on, and when they waited for humans, from the events of their sprint. */
export class TaskSpans {
  readonly #over = new Map<string, TaskSpan[]>();
  readonly #going = new Map<string, Going>();
  #lastAt = Number.NEGATIVE_INFINITY;

  /** Takes the next event, and the sprint right after it. */
  take({ subject, time }: StoredEvent, sprint: SprintState): void {
    const at = Date.parse(time);
    this.#lastAt = Math.max(this.#lastAt, at);
    const own = sprint.tasks.get(taskOf(subject) ?? '');
    for (const task of own ? [own] : sprint.tasks.values()) this.#step(task, at);
  }

  /** Those of a task until the last event, the earliest first. */
  of(task: string): readonly TaskSpan[] {
    const { is, from = 0 } = this.#going.get(task) ?? {};
    const over = this.#over.get(task) ?? [];
    return is !== undefined && from < this.#lastAt ? [...over, { is, from, to: this.#lastAt }] : over;
  }

  #step({ id, blockedSince, workingSince }: TaskState, time: number): void {
    const is = blockedSince !== undefined ? 'waits' : workingSince !== undefined ? 'works' : undefined;
    const before = this.#going.get(id);
    // A clock may have been set back, and that of another machine, with its own tasks, may say something else.
    const at = Math.max(before?.at ?? time, time);
    if (before?.is !== undefined && before.is !== is && before.from < at) {
      const over = this.#over.get(id) ?? [];
      over.push({ is: before.is, from: before.from, to: at });
      this.#over.set(id, over);
    }
    this.#going.set(id, { is, from: before?.is === is ? (before?.from ?? at) : at, at });
  }
}

/** Where an instant is along a line, from 0 to 1. */
export type Scale = (at: number) => number;

/** A time in which nothing went on has no more room than this share of all others together. */
const REST = 0.05;

/**
 * A line for times of several tasks: as long as they are, but where nobody worked or waited for a while it is short.
 *
 * @returns where an instant is, and where the line is short, in order.
 */
export function spanScale(spans: readonly TaskSpan[]): {
  readonly scale: Scale;
  readonly rests: readonly number[];
} {
  const busy = joined(spans);
  const longestRest = busy.reduce((sum, { from, to }) => sum + to - from, 0) * REST;
  let length = 0;
  let before: number | undefined;
  const rests: number[] = [];
  const parts = busy.map(({ from, to }) => {
    const rest = before === undefined ? 0 : from - before;
    const begins = length + Math.min(rest, longestRest);
    if (rest > longestRest) rests.push(length + longestRest / 2);
    length = begins + to - from;
    before = to;
    return { from, to, begins };
  });
  const scale = (at: number) => {
    const part = parts.findLast(({ from }) => from <= at);
    return part && length > 0 ? (part.begins + Math.min(at, part.to) - part.from) / length : 0;
  };
  return { scale, rests: rests.map((at) => at / length) };
}

/** Times without those that lie in another one, or go on in it. */
function joined(spans: readonly TaskSpan[]): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = parts.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else parts.push({ from, to });
  }
  return parts;
}
