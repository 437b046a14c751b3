/** So long nothing more is said of somebody who may not answer, in ms. */
const SAY_EVERY_MS = 3_600_000;
/** Of so many people at once, together within that time: whoever writes to a bot may have any number of names. */
const MAX_SAID = 20;

/** Says when it is worth a line that somebody answered who may not. A flood of them is a few lines. */
export class Strangers {
  readonly #seen = new Map<string, { saidAt: number; since: number }>();

  /** How often this one came since it was said last, this time included; `undefined`: it is not said now. `now`: ms. */
  timesToSay(sender: string, now: number): number | undefined {
    for (const [each, { saidAt }] of this.#seen)
      if (now - saidAt >= SAY_EVERY_MS * 2) this.#seen.delete(each);
    const known = this.#seen.get(sender);
    if (!known) {
      if (this.#seen.size >= MAX_SAID) return undefined;
      this.#seen.set(sender, { saidAt: now, since: 0 });
      return 1;
    }
    known.since += 1;
    if (now - known.saidAt < SAY_EVERY_MS) return undefined;
    const times = known.since;
    this.#seen.set(sender, { saidAt: now, since: 0 });
    return times;
  }
}
