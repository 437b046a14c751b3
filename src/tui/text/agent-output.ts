import type { PaneLine } from '../panes/pane.ts';
import { MOST_LINES, TaskLines } from './task-lines.ts';
import { writeRuns, type RunsOutput } from './write-runs.ts';

/** What one task's agents have written: clean lines, the newest last. Those in front may be dropped. */
export type TaskOutput = {
  readonly task: string;
  readonly lines: readonly PaneLine[];
};

/** The last output of agents, per task. Filled by whoever hears them, shown by the screen. */
export type AgentOutput = {
  /** Takes raw output as it comes; chunks may end anywhere, even inside an escape sequence. */
  append: (task: string, text: string) => void;
  /** Says something of ours on a line of its own: what comes after it begins anew. */
  note: (task: string, text: string) => void;
  /** What a task's agents wrote last; without `task`, of the task that wrote last. */
  read: (task?: string) => TaskOutput | undefined;
  /** When a task's agents wrote last, in ms since the epoch. `undefined`: they have written nothing. */
  wroteAt: (task: string) => number | undefined;
  /** Calls `listener` after each change with how many characters came, until the returned function is called. */
  subscribe: (listener: (characters: number) => void) => () => void;
};

/** Keeps the last `maxLines` lines of each task in memory. */
export function createAgentOutput({
  maxLines = MOST_LINES,
  earlier,
}: {
  maxLines?: number;
  /** Says what was written on a task before; asked once, when the task is looked at. */
  earlier?: Promise<(task: string) => RunsOutput>;
} = {}): AgentOutput {
  const tasks = new Map<string, TaskLines>();
  const listeners = new Set<(characters: number) => void>();
  let latest: string | undefined;
  let before: ((task: string) => RunsOutput) | undefined;
  const isBefore = new Set<string>();
  const tell = (characters: number) => listeners.forEach((listener) => listener(characters));

  const linesOf = (task: string) => {
    const lines = tasks.get(task) ?? new TaskLines(maxLines);
    tasks.set(task, lines);
    return lines;
  };
  /** Puts what was written before in front, once. */
  const addBefore = (task: string) => {
    if (!before || isBefore.has(task)) return;
    isBefore.add(task);
    const earlier = new TaskLines(Infinity);
    writeRuns(earlier, before(task));
    const lines = earlier.read();
    if (lines.length > 0) linesOf(task).putBefore(lines);
  };
  void earlier?.then(
    (found) => {
      before = found;
      tell(0);
    },
    // A log that cannot be read ends the screen by itself.
    () => undefined,
  );

  return {
    append: (task, text) => {
      if (text === '') return;
      latest = task;
      linesOf(task).append(text);
      tell(text.length);
    },
    note: (task, text) => {
      latest = task;
      linesOf(task).note(text);
      tell(text.length);
    },
    read: (task = latest) => {
      if (task === undefined) return undefined;
      addBefore(task);
      const lines = tasks.get(task)?.read();
      return lines && { task, lines };
    },
    wroteAt: (task) => tasks.get(task)?.wroteAt,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
