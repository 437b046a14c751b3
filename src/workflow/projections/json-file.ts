import { readFile, stat } from 'node:fs/promises';
import type { Adapter } from 'lowdb';
import { isMissing } from '../../lib/system-error.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

/**
 * A lowdb adapter for one JSON file. lowdb's own one writes through a temporary file whose name all
 * processes share; this one has a unique name per write, keeps the file's indentation and mode, and
 * leaves an unchanged file alone.
 */
export class JsonFile implements Adapter<unknown> {
  readonly #path: string;
  #text: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The parsed file; `null`, which lowdb takes for empty, when it is missing or not JSON. */
  async read(): Promise<unknown> {
    try {
      this.#text = await readFile(this.#path, 'utf8');
      return JSON.parse(this.#text.replace(/^\uFEFF/, ''));
    } catch (error) {
      if (error instanceof SyntaxError || isMissing(error)) return null;
      throw error;
    }
  }

  async write(data: unknown): Promise<void> {
    const indent = /\n([ \t]+)"/.exec(this.#text ?? '')?.[1] ?? '  ';
    const text = `${JSON.stringify(data, null, indent)}\n`;
    if (text.trimEnd() === this.#text?.trimEnd()) return;
    const before = this.#text === undefined ? undefined : await stat(this.#path);
    await writeAtomically(this.#path, text, before ? { exactMode: before.mode & 0o777 } : {});
    this.#text = text;
  }
}
