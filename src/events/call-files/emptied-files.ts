import { says, type Fields } from './field-names.ts';

/**
 * Files of which a call shows all that they have, and that nothing is left of it: by that they go. A diff of the protocol is
 * of a whole file, but some agents show the part in one that an edit of theirs takes out.
 */
export class EmptiedFiles {
  readonly #shown = new Set<string>();
  readonly #edited = new Set<string>();

  /**
   * Takes note of a text that goes, with nothing in its place, by what these fields say of the files.
   *
   * @param isPart - They are a part of the arguments that names its own file, and does not say where in it the text stood.
   */
  note(
    fields: Fields,
    {
      paths,
      text,
      isPart,
    }: { readonly paths: readonly string[]; readonly text: string; readonly isPart: boolean },
  ): void {
    const { type } = fields;
    const isDiff =
      type === 'diff' || (type === undefined && isPart && Object.keys(fields).some(says.newWhole));
    const texts = isDiff ? this.#shown : this.#edited;
    for (const path of paths) texts.add(JSON.stringify([path, text]));
  }

  /** A diff shows one, and no edit says that it is a part. */
  get areAny(): boolean {
    return [...this.#shown].some((text) => !this.#edited.has(text));
  }
}
