import { OUT_OF_TIME, withinTime } from '../tools/within-time.ts';

/** How long the regular expressions of a policy may take for one call, all together, in ms. */
export const REGEX_LIMIT_MS = 250;

/** What is left of the time for the regular expressions of one call. Once it is over, nothing that they say is known. */
export class RegexTime {
  readonly #textsOfCall: () => Iterable<string>;
  #leftMs = REGEX_LIMIT_MS;
  /** By regular expression, which texts it matches. */
  readonly #known = new Map<string, Map<string, boolean>>();

  /** @param textsOfCall - What {@link RegexTime.test} will be asked about: each regular expression is held against all at once. */
  constructor(textsOfCall: () => Iterable<string> = () => []) {
    this.#textsOfCall = textsOfCall;
  }

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  /** Whether a regular expression matches a text. `undefined`: it is none, or the time was over before that was known. */
  test(source: string, text: string): boolean | undefined {
    const known = this.#known.get(source) ?? this.#testAll(source);
    return known.get(text) ?? this.find(source, (regex) => regex.test(text));
  }

  /** To watch the time costs more than most matches: it is watched once for all texts. */
  #testAll(source: string): ReadonlyMap<string, boolean> {
    const known = new Map<string, boolean>();
    this.#known.set(source, known);
    this.find(source, (regex) => {
      // What was known when the time was over stays known.
      for (const text of this.#textsOfCall()) if (!known.has(text)) known.set(text, regex.test(text));
    });
    return known;
  }

  /** What is found with a regular expression. `undefined`: it is none, or the time is over. */
  find<Found>(source: string, work: (regex: RegExp) => Found): Found | undefined {
    const regex = regexOf(source);
    if (regex === undefined || this.isOver) return undefined;
    let usedMs = 0;
    const found = withinTime(Math.ceil(this.#leftMs), () => {
      const before = process.cpuUsage();
      const result = work(regex);
      const { user, system } = process.cpuUsage(before);
      usedMs = (user + system) / 1_000;
      return result;
    });
    this.#leftMs = found === OUT_OF_TIME ? 0 : this.#leftMs - usedMs;
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
