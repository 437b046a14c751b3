/** Of so many messages the text is known: one that becomes old keeps its words, and loses its buttons. */
const MAX_KNOWN = 200;

/** The texts that messages have once they are over, by what the service calls them: a service replaces a message as a whole. */
export class RememberedTexts {
  readonly #texts = new Map<string, string>();

  keep(ref: string, text: string): void {
    this.#texts.set(ref, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_KNOWN && oldest !== undefined) this.#texts.delete(oldest);
  }

  get(ref: string): string | undefined {
    return this.#texts.get(ref);
  }
}
