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

/** What has no more room than this share of all that agents worked: a time in which tasks waited for humans alone, and one in which nothing went on. */
const LONGEST = { waits: 0.25, rests: 0.05 };

type Part = { readonly from: number; readonly to: number; readonly begins: number; readonly length: number };

/**
 * A line for times of several tasks. Where an agent worked it is as long as that was; where nobody did for long, it is short.
 *
 * @returns where an instant is, and the middles of what is short, in order.
 */
export function spanScale(spans: readonly TaskSpan[]): {
  readonly scale: Scale;
  readonly shortened: readonly number[];
} {
  const stretches = stretchesOf(spans);
  const worked = stretches.reduce((sum, { is, from, to }) => sum + (is === 'works' ? to - from : 0), 0);
  const parts: Part[] = [];
  const shortened: number[] = [];
  let whole = 0;
  for (const { is, from, to } of stretches) {
    const most = is === 'works' || worked === 0 ? Number.POSITIVE_INFINITY : worked * LONGEST[is];
    const length = Math.min(to - from, most);
    if (length < to - from) shortened.push(whole + length / 2);
    parts.push({ from, to, begins: whole, length });
    whole += length;
  }
  const scale = (at: number) => {
    const part = parts.findLast(({ from }) => from <= at);
    if (!part) return 0;
    const share = Math.min(1, (at - part.from) / (part.to - part.from));
    return (part.begins + share * part.length) / whole;
  };
  return { scale, shortened: shortened.map((at) => at / whole) };
}

type Stretch = { readonly is: 'works' | 'waits' | 'rests'; readonly from: number; readonly to: number };

/** One behind the other: times in which some agent worked, in which some task waited and none was worked on, and the others between them. */
function stretchesOf(spans: readonly TaskSpan[]): Stretch[] {
  const ends = spans.flatMap(({ is, from, to }) => [
    { is, at: from, by: 1 },
    { is, at: to, by: -1 },
  ]);
  const going = { works: 0, waits: 0 };
  const stretches: Stretch[] = [];
  let from = Number.NaN;
  for (const { is, at, by } of ends.toSorted((a, b) => a.at - b.at)) {
    if (at > from) {
      const kind = going.works > 0 ? 'works' : going.waits > 0 ? 'waits' : 'rests';
      const last = stretches.at(-1);
      if (last?.is === kind) stretches.splice(-1, 1, { ...last, to: at });
      else stretches.push({ is: kind, from, to: at });
    }
    going[is] += by;
    from = at;
  }
  return stretches;
}
