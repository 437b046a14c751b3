import { realpath } from 'node:fs/promises';
import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { readTrust, type TrustedProject } from '../config/trust-store.ts';

/** Of which project, and whose trust. */
type Place = { readonly root: string; readonly env: Readonly<Record<string, string | undefined>> };

/** What anybody has said so far. */
type Read = { readonly word: TrustedProject | undefined };

/** The policy of the file, by digests: as it was when all began, and as it is. */
type Files = { readonly begun: string; readonly now: string };

/** What a person has said of the file. `unread`: it could not be read so far, not even once. */
export type TrustSaid = 'trusts what it was' | 'trusts what it is' | 'nothing new' | 'unread';

/**
 * What a person has said of a file that agents may write, looked up for each call. A word of before all began is for the
 * file as it was then, also where it can be read only later; for what the file has become since there has to be one of
 * since then: an agent may put an old file back.
 */
export class PersonsWord {
  readonly #place: Place;
  readonly #begunAt = new Date().toISOString();
  #isKnown = false;
  /** When the last word was said that has counted, RFC 3339. */
  #countedAt: string | undefined;
  #problem: unknown;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Why it is unread, in one line. */
  get problem(): string {
    return this.#problem instanceof CliffordError ? this.#problem.inOneLine : messageOf(this.#problem);
  }

  async said({ begun, now }: Files): Promise<TrustSaid> {
    const read = await this.#read();
    if (!read) return this.#isKnown ? 'nothing new' : 'unread';
    const isFirst = !this.#isKnown;
    this.#isKnown = true;
    const { word } = read;
    if (word === undefined) return 'nothing new';
    // What the very first look finds was said before, also in the same millisecond.
    if (isFirst && this.#problem === undefined) this.#countedAt = word.at;
    const isOfBefore = isFirst && word.policy === begun;
    const isNew = word.at !== this.#countedAt && word.at >= this.#begunAt;
    if (!isOfBefore && !(isNew && word.policy === now)) return 'nothing new';
    this.#countedAt = word.at;
    return isNew && word.policy === now ? 'trusts what it is' : 'trusts what it was';
  }

  /** `undefined`: it cannot be read now. */
  async #read(): Promise<Read | undefined> {
    const { root, env } = this.#place;
    try {
      return { word: await readTrust(env, await realpath(root)) };
    } catch (error) {
      this.#problem = error;
      return undefined;
    }
  }
}
