import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { isInside } from '../lib/files/inside-root.ts';
import { inFolderSync } from '../lib/files/opened-folder.ts';
import { makeOwnFolder } from '../lib/files/own-folder.ts';
import { readOwnFile, writeOwnFile } from '../lib/files/plain-file.ts';
import { stampOf } from './signal-file.ts';

/** Longest note that is read, in bytes. */
const MAX_BYTES = 1_048_576;

const namesSchema = z.array(z.string());

/** Keeps what is in the folder, itself included, out of git: questions are no part of a task's work. */
const IGNORE = { file: '.gitignore', text: '*\n' };

/**
 * The folder that others write into, and those above it, as far as we made them: they are ours to
 * remove. A note in `.clifford/cache/` tells whoever serves the files next.
 */
export class MadeFolder {
  readonly #note: string;
  readonly #root: string;

  /** `projectDir`: `.clifford`, absolute. */
  constructor(projectDir: string) {
    this.#root = dirname(projectDir);
    this.#note = join(projectDir, 'cache', 'made-folders.json');
  }

  /** Makes a folder (0700) that git ignores, where there is none. @throws the file system's error. */
  make(folder: string): void {
    const missing = missingAbove(folder);
    if (missing.length === 0) return;
    // First: the note is refused in a project that was deleted, which must not come back by this.
    this.#write([...new Set([...this.#read(), ...missing])]);
    // One by one: a recursive mkdir below /proc never ends.
    for (const each of missing)
      inFolderSync(dirname(each), { root: this.#root }, (at) =>
        mkdirSync(at(basename(each)), { mode: 0o700 }),
      );
    inFolderSync(folder, { root: this.#root }, (at) => writeOwnFile(at(IGNORE.file), IGNORE.text));
  }

  /** Removes what was made and is empty. */
  remove(): void {
    const made = this.#read();
    if (made.length > 0)
      this.#write(
        made
          .toReversed()
          .filter((each) => !isRemoved(each, this.#root))
          .toReversed(),
      );
  }

  #read(): string[] {
    try {
      const note = readOwnFile(this.#note, { maxBytes: MAX_BYTES }).toString('utf8');
      // A name from outside of the project was not written by us.
      return namesSchema
        .parse(JSON.parse(note))
        .filter((each) => resolve(each) === each && each !== this.#root && isInside(this.#root, each));
    } catch {
      // No note, or one that somebody wrote into: then nothing is ours to remove.
      return [];
    }
  }

  #write(made: readonly string[]): void {
    if (made.length === 0) return rmSync(this.#note, { force: true });
    makeOwnFolder(dirname(this.#note));
    writeOwnFile(this.#note, JSON.stringify(made));
  }
}

/** The folders that are missing on the way to one, the uppermost first. */
function missingAbove(folder: string): string[] {
  return stampOf(folder) || dirname(folder) === folder ? [] : [...missingAbove(dirname(folder)), folder];
}

/** Removes a folder of the project if there is nothing in it but what we put there. No link is followed. */
function isRemoved(folder: string, root: string): boolean {
  try {
    inFolderSync(folder, { root }, (at) => {
      const [only, ...others] = readdirSync(at('.'));
      const ignore = at(IGNORE.file);
      const isOurs = () => readOwnFile(ignore, { maxBytes: MAX_BYTES }).toString('utf8') === IGNORE.text;
      if (only === IGNORE.file && others.length === 0 && isOurs()) rmSync(ignore);
    });
    inFolderSync(dirname(folder), { root }, (at) => rmdirSync(at(basename(folder))));
    return true;
  } catch {
    // Somebody has put something into it, or has removed it.
    return stampOf(folder) === undefined;
  }
}
