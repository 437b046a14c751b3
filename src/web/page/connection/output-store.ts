import type { OutputPiece, SentOutput } from '../../api/output.ts';
import { endOf } from '../../../lib/text/end-of.ts';
import { MAX_LINE_LENGTH } from '../../../views/text/longest-line.ts';
import { Store } from './store.ts';

/** What one agent wrote, as far as it is kept. */
export type RunOutput = Omit<SentOutput['runs'][number], 'text'> & {
  /** As they were written. */
  readonly lines: readonly string[];
  /** How many lines of it were there before the first that is kept. */
  readonly first: number;
};

/** What the agents of a task wrote, oldest first; `undefined`: it is being read. */
export type TaskOutput = readonly RunOutput[] | undefined;

/** A fast agent is drawn so often, in ms. */
const PAUSE_MS = 150;
/** Lines of one agent that are kept. */
const MOST_LINES = 2_000;

/** What agents write on the task that is looked at: its end, however much there is. */
export class OutputStore extends Store<TaskOutput> {
  #of: string | undefined;

  constructor() {
    super(undefined, PAUSE_MS);
  }

  /** Looks at another task. */
  watch(sprint: string | undefined, task: string | undefined): void {
    const of = JSON.stringify([sprint, task]);
    if (of === this.#of) return;
    this.#of = of;
    this.value = undefined;
  }

  /** Takes what was written so far, in place of what it has. */
  begin(output: SentOutput): void {
    this.value = runsOf(output);
  }

  /** Takes what was written since. */
  add(pieces: readonly OutputPiece[]): void {
    const byRun = Map.groupBy(pieces, ({ runId }) => runId);
    this.value = this.value?.map((run) => {
      const added = byRun.get(run.runId)?.map(({ text }) => text);
      return added ? withText(run, added.join('')) : run;
    });
  }
}

/** What agents wrote, in lines. */
export function runsOf({ runs }: SentOutput): readonly RunOutput[] {
  return runs.map(({ text, ...run }) => withText({ ...run, lines: [], first: 0 }, text));
}

/** The lines with more text behind the last one. */
function withText(run: RunOutput, text: string): RunOutput {
  const [first = '', ...others] = text.split('\n');
  const last = run.lines.at(-1) ?? '';
  const all = [...run.lines.slice(0, -1), last + first, ...others];
  const lines = all.slice(-MOST_LINES).map((line) => endOf(line, MAX_LINE_LENGTH));
  const left = all.length - lines.length;
  return { ...run, lines, first: run.first + left, isCut: run.isCut || left > 0 };
}
