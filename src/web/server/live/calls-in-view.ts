import type { Serving } from '../serving.ts';

/** What the cards of calls have beside the call, which comes a moment after the call itself. */
export class CallsInView {
  readonly #serving: Pick<Serving, 'extras' | 'project'>;
  readonly #onFound: () => void;
  #isComparing = false;

  /** `onFound`: there is more to show. */
  constructor(serving: Pick<Serving, 'extras' | 'project'>, onFound: () => void) {
    this.#serving = serving;
    this.#onFound = onFound;
  }

  /** Looks for what is not known yet. */
  look(): void {
    const { extras, project } = this.#serving;
    void extras.look(project).then((hasFound) => {
      if (hasFound) this.#onFound();
    });
  }

  /** Looks again at files of calls that wait: they may have changed. */
  renew(): void {
    const { extras, project } = this.#serving;
    const tell = () => {
      if (extras.takeCompared()) this.#onFound();
    };
    tell();
    if (this.#isComparing) return;
    this.#isComparing = true;
    void extras
      .renew(project)
      .then(tell)
      .finally(() => {
        this.#isComparing = false;
      });
  }
}
