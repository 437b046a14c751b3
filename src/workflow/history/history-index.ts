import { marks, type Mark } from '../../events/descriptor.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';

const FIRST_CAPACITY = 1_024;

/** Of every event of a stream when it happened and how it stands out, in nine bytes, by its version. */
export class HistoryIndex {
  #length = 0;
  /** In ms. Where a clock was set back, the time before: they never fall. */
  #times = new Float64Array(FIRST_CAPACITY);
  /** Places in {@link marks}, from 1; 0: none. */
  #marks = new Uint8Array(FIRST_CAPACITY);

  /** How many events are known: the version of the newest. */
  get length(): number {
    return this.#length;
  }

  /** When they happened, in ms since the epoch, the first at place 0: valid until there are more. They never fall. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.#length);
  }

  add(event: StoredEvent): void {
    const at = this.#length;
    if (at === this.#times.length) this.#grow();
    const mark = markOf(event);
    this.#times[at] = Math.max(Date.parse(event.time), this.#times[at - 1] ?? 0);
    this.#marks[at] = mark === undefined ? 0 : marks.indexOf(mark) + 1;
    this.#length += 1;
  }

  /** When an event happened, in ms since the epoch. */
  timeOf(version: number): number {
    return this.#times[version - 1] ?? 0;
  }

  /** The last event before the first that is later; 0: that is the first. `ms` since the epoch. */
  versionAt(ms: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] ?? 0) > ms) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** How an event stands out. */
  markAt(version: number): Mark | undefined {
    return marks[(this.#marks[version - 1] ?? 0) - 1];
  }

  /** The next event that stands out, or the one before: beyond `version`, by one of `which` if they are named. */
  nextMark(version: number, step: 1 | -1, which: ReadonlySet<Mark> = new Set(marks)): number | undefined {
    for (let at = version + step; at >= 1 && at <= this.#length; at += step) {
      const mark = this.markAt(at);
      if (mark !== undefined && which.has(mark)) return at;
    }
    return undefined;
  }

  /** The loudest mark from a version to another, both included. */
  loudestIn(from: number, to: number): Mark | undefined {
    let loudest = marks.length + 1;
    for (const code of this.#marks.subarray(Math.max(0, from - 1), Math.min(to, this.#length)))
      if (code !== 0 && code < loudest) loudest = code;
    return marks[loudest - 1];
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    this.#times = times;
    const codes = new Uint8Array(times.length);
    codes.set(this.#marks);
    this.#marks = codes;
  }
}
