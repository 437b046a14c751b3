import { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { Project } from '../../workflow/project/project.ts';

/**
 * Pushes what a sprint has made as soon as a task has a commit, one push after the other: a worker that dies takes with it what it
 * has not pushed.
 */
export class Publisher {
  readonly #pushNow: () => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #report: (problem: string) => void;
  readonly #unsubscribe: () => void;
  #isDue = false;
  #running: Promise<void> | undefined;

  constructor(
    project: Pick<Project, 'subscribe'>,
    {
      push,
      stream,
      signal,
      report,
    }: {
      /** Throws when another worker has the sprint: what this one has made is not its result. */
      readonly push: () => Promise<void>;
      readonly stream: string;
      /** Ends a push under way. */
      readonly signal: AbortSignal;
      readonly report: (problem: string) => void;
    },
  ) {
    this.#pushNow = push;
    this.#signal = signal;
    this.#report = report;
    this.#unsubscribe = project.subscribe((events) => {
      if (events.some((event) => isCommit(event, stream))) this.#push();
    });
  }

  /** Waits for pushes under way, then pushes once more what may be left. @throws {CliffordError} `PUSH_FAILED`. */
  async finish(): Promise<void> {
    this.#unsubscribe();
    await this.#running;
    await this.#pushNow();
  }

  #push(): void {
    this.#isDue = true;
    this.#running ??= this.#pushWhileDue();
  }

  async #pushWhileDue(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      try {
        await this.#pushNow();
      } catch (error) {
        // It is tried again with the next commit, and at the end.
        if (error instanceof CliffordError) this.#report(error.inOneLine);
        else if (!this.#signal.aborted) throw error;
      }
    }
    this.#running = undefined;
  }
}

function isCommit({ type, subject }: StoredEvent, stream: string): boolean {
  return (type === 'task.committed' || type === 'worktree.merged') && subject.startsWith(`${stream}/`);
}
