import type { CloseOutcome } from '../../workflow/requests/close-request.ts';
import { tellWhenLate } from '../../lib/time/tell-when-late.ts';
import { howClosed } from '../text/how-closed.ts';
import { notRecorded } from '../text/not-recorded.ts';
import type { Focus } from '../screen/focus.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import { notSent } from '../drafts/unsent-words.ts';
import type { Notice } from '../screen/screen-state.ts';

/** After so long, in ms, it is said that what was decided is not recorded yet. */
const LATE_MS = 2_000;

/** What a person said to a question. */
export type Word = {
  /** What is told when it is recorded. */
  readonly done: string;
  /** Where it is said again, if it could not be. */
  readonly back: Focus;
  /** What they press there. */
  readonly again: string;
  /** The words of it: they can be taken again where somebody was first. Default: there are none. */
  readonly words?: readonly string[];
  /** Called with an error that saying it again would not mend. Default: it ends the screen. */
  readonly failed?: ((error: unknown) => void) | undefined;
};

/** What is being recorded of what a person decides on a screen. */
export class Recording {
  readonly #actor: ScreenActor;
  readonly #fail: (error: unknown) => void;
  readonly #pending = new Set<Promise<void>>();

  constructor(actor: ScreenActor, fail: (error: unknown) => void) {
    this.#actor = actor;
    this.#fail = fail;
  }

  /** Tells the screen what became of what was said to a question: this, or why it was too late, or could not be recorded. */
  close(
    id: string,
    { done, back, again, words = [], failed = this.#fail }: Word,
    closing: Promise<CloseOutcome>,
  ): void {
    const tell = (outcome: CloseOutcome) => {
      const event = outcome.accepted
        ? { notice: { tone: 'ok', text: done } as const }
        : { notice: lost(outcome, words), unsent: words };
      this.#actor.send({ type: 'outcome', id, ...event });
    };
    const untold = (error: unknown) => {
      const why = notRecorded(error);
      if (why === undefined) return failed(error);
      this.#actor.send({ type: 'unrecorded', id, why, back, again });
    };
    const late = () => {
      const text = 'Not recorded yet: the log does not answer';
      this.#actor.send({ type: 'told', notice: { tone: 'warning', text } });
    };
    this.add(tellWhenLate(closing, LATE_MS, late).then(tell, untold));
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

function lost({ request }: CloseOutcome, [words]: readonly string[]): Notice {
  const text = request ? howClosed(request) : 'The question is not in the log any more';
  return {
    tone: 'warning',
    text: `Not recorded. ${text}${words === undefined ? '' : ` (${notSent(words)})`}`,
  };
}
