import { lstat, readlink } from 'node:fs/promises';
import { isMissing } from '../system-error.ts';
import { wayOf, type FoundThere, type Led } from './way-of-path.ts';

/** So many names are followed, those of all paths and of the links on their way together. */
export const MOST_NAMES = 5_000;

/**
 * Follows the paths that somebody else has named, as they lead now: at each place on their ways it looks once, however many lead
 * through it, and in all it goes so far that nobody is held up by them.
 */
export class PathFollower {
  readonly #found = new Map<string, FoundThere>();
  readonly #led = new Map<string, Led>();
  #names = 0;

  /** How many names it has followed: as often as they stood in a path. */
  get names(): number {
    return this.#names;
  }

  /** Whether it has gone as far as it goes. */
  get isSpent(): boolean {
    return this.#names >= MOST_NAMES;
  }

  /**
   * The file that a path leads to, through links of it and of its folders, whether it is there or not.
   *
   * @param path - Absolute.
   * @throws the system's error when that cannot be told; another when too much was followed before.
   */
  async follow(path: string): Promise<Led> {
    const known = this.#led.get(path);
    if (known) return known;
    const way = wayOf(path);
    let step = way.next();
    while (!step.done) {
      if (this.isSpent) throw new Error('there are too many paths, or too long ones');
      this.#names += 1;
      step = way.next(this.#found.get(step.value) ?? (await this.#look(step.value)));
    }
    this.#led.set(path, step.value);
    return step.value;
  }

  async #look(place: string): Promise<FoundThere> {
    const found = await foundAt(place);
    this.#found.set(place, found);
    return found;
  }
}

async function foundAt(place: string): Promise<FoundThere> {
  try {
    const found = await lstat(place);
    return found.isSymbolicLink() ? { is: 'link', to: await readlink(place) } : { is: 'other' };
  } catch (error) {
    // A file may stand where one of its folders would be.
    if (isMissing(error)) return { is: 'nothing' };
    throw error;
  }
}
