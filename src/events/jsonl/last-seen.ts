import { START, type FilePlace } from './place.ts';

/** How far a handle has read or written its log, by which it knows the log again. */
export class LastSeen {
  #place = START;

  /** The last place; position 0: nothing was seen yet. */
  get place(): FilePlace {
    return this.#place;
  }

  /** Notes that the line before `position` has the hash `proof`. */
  note(position: number, proof: string): void {
    if (position > this.#place.position) this.#place = { position, proof };
  }
}
