import type { Secrets } from './redaction.ts';
import { labelStart, openKey, tokenStart, urlStart, valueStart } from './secret-beginning.ts';

/** More than a private key has. What is held back is given out when it is longer. */
const MAX_HELD_LENGTH = 32 * 1024;

/**
 * Replaces secrets in a text that comes in parts, as they are replaced in the log. What may be the
 * beginning of one is held back until the next part shows whether it is.
 */
export class StreamRedactor {
  readonly #secrets: Secrets;
  #held = '';

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The text that is settled by now. */
  push(text: string): string {
    let all = this.#held + text;
    let settled = '';
    const key = openKey(all);
    if (key?.end !== undefined) {
      settled = this.#secrets.redactText(all.slice(0, key.end));
      all = all.slice(key.end);
    }
    const cut = all.length - this.#unsettled(all);
    this.#held = all.slice(cut);
    return settled + this.#secrets.redactText(all.slice(0, cut));
  }

  /** What is held back has the end of a line. */
  get holdsLineEnd(): boolean {
    return this.#held.includes('\n');
  }

  /** What was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#secrets.redactText(rest);
  }

  /** How much of the end of a text may be a part of a secret, in characters. */
  #unsettled(text: string): number {
    const { values, pattern } = this.#secrets;
    const keyStart = openKey(text)?.start ?? text.length;
    let cut = Math.min(
      keyStart,
      labelStart(text),
      tokenStart(text),
      urlStart(text),
      valueStart(text, values),
    );
    if (cut === text.length) return 0;
    // Not through the middle of a secret that is all there.
    for (const { index, 0: found } of text.matchAll(pattern))
      if (index < cut && index + found.length > cut) cut = index;
    return text.length - cut > MAX_HELD_LENGTH ? 0 : text.length - cut;
  }
}
