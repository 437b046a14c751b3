import { OUT_OF_TIME, withinTime } from '../tools/within-time.ts';

/** How long the regular expressions of a policy may take for one call, all together, in ms. */
export const REGEX_LIMIT_MS = 250;

/** What is left of the time for the regular expressions of one call. Once it is over, nothing that they say is known. */
export class RegexTime {
  #leftMs = REGEX_LIMIT_MS;

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  /** What is found with a regular expression. `undefined`: it is none, or the time is over. */
  find<Found>(source: string, work: (regex: RegExp) => Found): Found | undefined {
    const regex = regexOf(source);
    if (regex === undefined || this.isOver) return undefined;
    const before = process.cpuUsage();
    const found = withinTime(Math.ceil(this.#leftMs), () => work(regex));
    const { user, system } = process.cpuUsage(before);
    this.#leftMs = found === OUT_OF_TIME ? 0 : this.#leftMs - (user + system) / 1_000;
    return found === OUT_OF_TIME ? undefined : found;
  }
}

/** The regular expression a text stands for; `undefined` when it stands for none. */
export function regexOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
