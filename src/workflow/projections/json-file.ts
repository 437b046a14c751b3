import { constants } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { isMissing } from '../../lib/system-error.ts';
import { isLink } from '../../lib/files/is-link.ts';
import { readWithMode } from '../../lib/files/plain-file.ts';
import { sweepTemporaries } from '../../lib/files/sweep-temporaries.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

const { O_RDONLY, O_NOFOLLOW } = constants;

/** Longest file that is read, in bytes. */
const MAX_BYTES = 268_435_456;

/**
 * A lowdb adapter for one JSON file. lowdb's own one writes through a temporary file whose name all
 * processes share; this one has a unique name per write, keeps the file's indentation and mode, and
 * leaves an unchanged file alone.
 */
export class JsonFile implements Adapter<unknown> {
  readonly #path: string;
  /** As it was read, and then written. */
  #before: { readonly text: string; readonly mode: number | undefined } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The parsed file; `null`, which lowdb takes for empty, when it is missing, a link or not JSON.
   *
   * @throws {NotPlainFileError} also for a file that is too large, and the errors of the system.
   */
  async read(): Promise<unknown> {
    // It may lead anywhere. Writing takes its place.
    if (isLink(this.#path)) return null;
    try {
      const { bytes, mode } = readWithMode(this.#path, { maxBytes: MAX_BYTES, flags: O_RDONLY | O_NOFOLLOW });
      this.#before = { text: bytes.toString('utf8'), mode };
      return JSON.parse(this.#before.text.replace(/^\uFEFF/, ''));
    } catch (error) {
      if (error instanceof SyntaxError || isMissing(error)) return null;
      throw error;
    }
  }

  /** Whoever writes holds the lock of the projections: what else is half written was left by one that was killed. */
  async write(data: unknown): Promise<void> {
    sweepTemporaries(dirname(this.#path), (name) => name === basename(this.#path), { abandonedMs: 0 });
    const before = this.#before;
    const indent = /\n([ \t]+)"/.exec(before?.text ?? '')?.[1] ?? '  ';
    const text = `${JSON.stringify(data, null, indent)}\n`;
    if (text.trimEnd() === before?.text.trimEnd()) return;
    const mode = before?.mode;
    await writeAtomically(this.#path, text, mode === undefined ? {} : { exactMode: mode & 0o777 });
    this.#before = { text, mode };
  }
}
