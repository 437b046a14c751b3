import type { CloseOutcome } from '../../workflow/requests/close-request.ts';
import { howClosed } from '../text/how-closed.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { Notice } from './screen-state.ts';

/** What is being recorded of what a person decides on a screen. */
export class Recording {
  readonly #actor: ScreenActor;
  readonly #fail: (error: unknown) => void;
  readonly #pending = new Set<Promise<void>>();

  constructor(actor: ScreenActor, fail: (error: unknown) => void) {
    this.#actor = actor;
    this.#fail = fail;
  }

  /** Tells the screen what became of what was said to a question: this, or why it was too late. */
  close(id: string, done: string, closing: Promise<CloseOutcome>, failed = this.#fail): void {
    const tell = (outcome: CloseOutcome) => {
      const notice: Notice = outcome.accepted ? { tone: 'ok', text: done } : lost(outcome);
      this.#actor.send({ type: 'outcome', id, notice });
    };
    this.add(closing.then(tell, failed));
  }

  /** Waits for this, too, which never rejects. */
  add(told: Promise<void>): void {
    this.#pending.add(told);
    void told.finally(() => this.#pending.delete(told));
  }

  /** Resolves when nothing is being recorded any more. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

function lost({ request }: CloseOutcome): Notice {
  const text = request ? howClosed(request) : 'The question is not in the log any more';
  return { tone: 'warning', text: `Not recorded. ${text}` };
}
