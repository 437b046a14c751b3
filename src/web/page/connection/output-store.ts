import type { OutputPiece, SentOutput } from '../../api/output.ts';
import type { Api } from './api.ts';
import { Store } from './store.ts';

/** What one agent wrote, as far as it is kept. */
export type RunOutput = {
  readonly runId: string;
  readonly attempt: number;
  readonly agent: string;
  readonly startedAt: string;
  readonly lines: readonly string[];
  /** How many lines of it were there before the first that is kept. */
  readonly first: number;
  /** What it wrote before is left out. */
  readonly isCut: boolean;
};

/** What the agents of a task wrote, oldest first; `undefined`: it is being read. */
export type TaskOutput = readonly RunOutput[] | undefined;

/** A fast agent is drawn so often, in ms. */
const PAUSE_MS = 150;
/** Lines of one agent that are kept. */
const MOST_LINES = 2_000;
/** Of a line so many characters: nobody reads more of it here. */
const LONGEST_LINE = 4_000;

/** What agents write on the task that is looked at: its end, however much there is. */
export class OutputStore extends Store<TaskOutput> {
  readonly #api: Api;
  #of: { readonly sprint: string; readonly task: string } | undefined;
  #reading: AbortController | undefined;
  /** What came while it was read. */
  #early: OutputPiece[] = [];

  constructor(api: Api) {
    super(undefined, PAUSE_MS);
    this.#api = api;
  }

  watch(sprint: string | undefined, task: string | undefined): void {
    if (sprint === this.#of?.sprint && task === this.#of?.task) return;
    this.#of = sprint === undefined || task === undefined ? undefined : { sprint, task };
    this.value = undefined;
    this.reload();
  }

  /** Reads it again, from what is kept of it. */
  reload(): void {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const of = this.#of;
    if (!of) return;
    this.#early = [];
    void this.#read(of, reading.signal);
  }

  add(pieces: readonly OutputPiece[]): void {
    if (this.value === undefined) {
      this.#early.push(...pieces);
      return;
    }
    const own = pieces.filter(({ sprint, task }) => sprint === this.#of?.sprint && task === this.#of.task);
    // Of an agent that was started since.
    if (own.some(({ runId }) => !this.value?.some((run) => run.runId === runId))) return this.reload();
    const byRun = Map.groupBy(own, ({ runId }) => runId);
    if (byRun.size === 0) return;
    this.value = this.value.map((run) => {
      const text = byRun.get(run.runId)?.map((piece) => piece.text).join('');
      return text === undefined ? run : withText(run, text);
    });
  }

  async #read({ sprint, task }: { sprint: string; task: string }, signal: AbortSignal): Promise<void> {
    try {
      const output = await this.#api.output(sprint, { task }, signal);
      signal.throwIfAborted();
      this.value = runsOf(output);
    } catch {
      // Not reached, or not wanted any more: with the next connection it is read again.
    }
  }
}

/** What agents wrote, in lines. */
export function runsOf({ runs }: SentOutput): readonly RunOutput[] {
  return runs.map(({ text, ...run }) => withText({ ...run, lines: [], first: 0 }, text));
}

/** The lines with more text behind the last one. A carriage return begins a line again, as on a terminal. */
function withText(run: RunOutput, text: string): RunOutput {
  const [first = '', ...others] = text.split('\n');
  const last = run.lines.at(-1) ?? '';
  const all = [...run.lines.slice(0, -1), last + first, ...others];
  const lines = all.slice(-MOST_LINES).map((line) => line.slice(-LONGEST_LINE));
  const left = all.length - lines.length;
  return { ...run, lines, first: run.first + left, isCut: run.isCut || left > 0 };
}
