import { lastOverwrite, stripAgentText } from '../../lib/text/sanitise.ts';

/** What one task's agents have written: clean lines, the newest last. */
export type TaskOutput = {
  readonly task: string;
  /** Lines that were dropped from the front: `lines[0]` is line number `dropped`. */
  readonly dropped: number;
  readonly lines: readonly string[];
};

/** The last output of agents, per task. Filled by whoever hears them, shown by the screen. */
export type AgentOutput = {
  /** Takes raw output as it comes; chunks may end anywhere, even inside an escape sequence. */
  append: (task: string, text: string) => void;
  /** What a task's agents wrote last; without `task`, of the task that wrote last. */
  read: (task?: string) => TaskOutput | undefined;
  /** When a task's agents wrote last, in ms since the epoch. `undefined`: they have written nothing. */
  wroteAt: (task: string) => number | undefined;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
};

/** Characters kept of a line: more than the widest terminal and many rows. */
const MAX_LINE_LENGTH = 4_000;

type Store = { dropped: number; lines: string[]; unfinished: string; at: number };

/** Keeps the last `maxLines` lines of each task in memory. */
export function createAgentOutput({ maxLines = 2_000 }: { maxLines?: number } = {}): AgentOutput {
  const stores = new Map<string, Store>();
  const listeners = new Set<() => void>();
  let latest: string | undefined;

  const append = (task: string, text: string) => {
    if (text === '') return;
    const store = stores.get(task) ?? { dropped: 0, lines: [], unfinished: '', at: 0 };
    store.at = Date.now();
    stores.set(task, store);
    latest = task;
    const [first = '', ...others] = text.split('\n');
    store.unfinished = bounded(store.unfinished + first);
    for (const other of others) {
      store.lines.push(clean(store.unfinished));
      store.unfinished = bounded(other);
    }
    // Cut seldom: moving the whole list for every line would cost more than the lines.
    if (store.lines.length > 2 * maxLines) {
      const surplus = store.lines.length - maxLines;
      store.lines.splice(0, surplus);
      store.dropped += surplus;
    }
    for (const listener of listeners) listener();
  };

  const read = (task: string | undefined = latest): TaskOutput | undefined => {
    const store = task === undefined ? undefined : stores.get(task);
    if (task === undefined || !store) return undefined;
    const { dropped, lines, unfinished } = store;
    return { task, dropped, lines: unfinished === '' ? lines : [...lines, clean(unfinished)] };
  };

  const wroteAt = (task: string) => stores.get(task)?.at;

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return { append, read, wroteAt, subscribe };
}

/** A line may have no end: what is kept of it is its tail. */
function bounded(line: string): string {
  return line.length > 2 * MAX_LINE_LENGTH ? line.slice(-MAX_LINE_LENGTH) : line;
}

function clean(raw: string): string {
  return stripAgentText(lastOverwrite(raw)).replaceAll('\n', ' ').slice(-MAX_LINE_LENGTH).trimEnd();
}
