import { MAX_LINE_LENGTH, OutputLine } from './output-line.ts';
import { styleBehind, type OwnStyle } from './own-style.ts';

/** What one task's agents have written: clean lines, the newest last. */
export type TaskOutput = {
  readonly task: string;
  /** Lines that were dropped from the front: `lines[0]` is line number `dropped`. */
  readonly dropped: number;
  readonly lines: readonly OutputLine[];
};

/** What one run of an agent wrote before. */
export type EarlierOutput = {
  /** Stands above it. */
  readonly about: string;
  readonly text: string;
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
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
};

/** Characters of an escape sequence that sets a style, at most. */
const LONGEST_STYLE = 64;

type Store = {
  dropped: number;
  lines: OutputLine[];
  /** The last line, as far as it has come, and the style it begins with. */
  unfinished: string;
  style: OwnStyle | undefined;
  at: number | undefined;
};

function newStore(): Store {
  return { dropped: 0, lines: [], unfinished: '', style: undefined, at: undefined };
}

/** The lines of runs before, each below what there is to say about it. The last of them may go on. */
function earlierLines(runs: readonly EarlierOutput[], hasMore: boolean): OutputLine[] {
  const written = runs.filter(({ text }, at) => text !== '' || (at === runs.length - 1 && hasMore && at > 0));
  return written.flatMap(({ about, text }) => {
    const store = newStore();
    for (const line of text.replace(/\n$/, '').split('\n')) {
      if (text === '') continue;
      goOn(store, line);
      finish(store);
    }
    return [OutputLine.ofOurs(about), ...store.lines];
  });
}

/** Keeps the last `maxLines` lines of each task in memory. */
export function createAgentOutput({
  maxLines = 2_000,
  earlier,
}: {
  maxLines?: number;
  /** Says what was written on a task before, oldest first; asked once, when the task is looked at. */
  earlier?: Promise<(task: string) => readonly EarlierOutput[]>;
} = {}): AgentOutput {
  const stores = new Map<string, Store>();
  const listeners = new Set<() => void>();
  let latest: string | undefined;
  let before: ((task: string) => readonly EarlierOutput[]) | undefined;
  const isBefore = new Set<string>();
  const tell = () => listeners.forEach((listener) => listener());

  const storeOf = (task: string) => {
    const store = stores.get(task) ?? newStore();
    stores.set(task, store);
    latest = task;
    return store;
  };
  /** Puts what was written before in front, once. Line numbers go on below zero. */
  const addBefore = (task: string) => {
    if (!before || isBefore.has(task)) return;
    isBefore.add(task);
    const lines = earlierLines(before(task), stores.has(task)).slice(-maxLines);
    if (lines.length === 0) return;
    const store = stores.get(task) ?? newStore();
    stores.set(task, store);
    store.lines.unshift(...lines);
    store.dropped -= lines.length;
  };
  void earlier?.then(
    (found) => {
      before = found;
      tell();
    },
    // A log that cannot be read ends the screen by itself.
    () => undefined,
  );

  const append = (task: string, text: string) => {
    if (text === '') return;
    const store = storeOf(task);
    store.at = Date.now();
    const [first = '', ...others] = text.split('\n');
    goOn(store, first);
    for (const other of others) {
      finish(store);
      goOn(store, other);
    }
    dropOld(store, maxLines);
    tell();
  };

  const note = (task: string, text: string) => {
    const store = storeOf(task);
    if (store.unfinished !== '') finish(store);
    store.style = undefined;
    store.lines.push(OutputLine.ofOurs(text));
    tell();
  };

  const read = (task: string | undefined = latest): TaskOutput | undefined => {
    if (task === undefined) return undefined;
    addBefore(task);
    const store = stores.get(task);
    if (!store) return undefined;
    const { dropped, lines, unfinished, style } = store;
    if (unfinished === '') return { task, dropped, lines };
    return { task, dropped, lines: [...lines, new OutputLine(unfinished, style)] };
  };

  const wroteAt = (task: string) => stores.get(task)?.at;

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return { append, note, read, wroteAt, subscribe };
}

/** A line may have no end: what is kept of it is its tail. */
function goOn(store: Store, text: string): void {
  const line = store.unfinished + text;
  if (line.length <= 2 * MAX_LINE_LENGTH) {
    store.unfinished = line;
    return;
  }
  const end = line.length - MAX_LINE_LENGTH;
  const sequence = line.lastIndexOf('\u001B', end);
  // A sequence that was cut in two would be text.
  const from = sequence >= 0 && end - sequence < LONGEST_STYLE ? sequence : end;
  store.style = styleBehind(store.style, line.slice(0, from));
  store.unfinished = line.slice(from);
}

function finish(store: Store): void {
  const line = new OutputLine(store.unfinished, store.style);
  store.lines.push(line);
  store.style = line.next;
  store.unfinished = '';
}

/** Seldom: moving the whole list for every line would cost more than the lines. */
function dropOld(store: Store, maxLines: number): void {
  if (store.lines.length <= 2 * maxLines) return;
  const surplus = store.lines.length - maxLines;
  store.lines.splice(0, surplus);
  store.dropped += surplus;
}
