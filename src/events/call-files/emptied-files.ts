import type { Fields } from './field-names.ts';

/**
 * Files of which a call shows all that they have, and that nothing is left of it: by that they go. A diff of the protocol is
 * of a whole file, but some agents show the part in one that an edit of theirs takes out.
 */
export class EmptiedFiles {
  readonly #shown = new Set<string>();
  readonly #edited = new Set<string>();

  /** Takes note of a text that goes, with nothing in its place, by what these fields say of the files. */
  note(fields: Fields, paths: readonly string[], text: string): void {
    const texts = fields['type'] === 'diff' ? this.#shown : this.#edited;
    for (const path of paths) texts.add(JSON.stringify([path, text]));
  }

  /** A diff shows one, and no edit says that it is a part. */
  get areAny(): boolean {
    return [...this.#shown].some((text) => !this.#edited.has(text));
  }
}
