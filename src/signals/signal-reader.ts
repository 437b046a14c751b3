import type { z } from 'zod';
import { sha256 } from '../lib/digest.ts';
import { jsonValue } from '../lib/json/json-value.ts';
import { plainReason } from './plain-reason.ts';
import { readSignal, stampOf, type Stamp } from './signal-file.ts';

/** How long a file that does not parse may lie unchanged before it is refused, in ms. */
const PATIENCE_MS = 2_000;

/** A file that changed so recently, in ms, may change again without a trace: clocks of file systems are that coarse. */
const SETTLING_MS = 100n;

/** So many contents are remembered at most. */
const MOST_KNOWN = 1_000;

/** What a look at a file found. */
export type Reading<T> =
  | { readonly state: 'absent' }
  /** It does not parse yet: somebody may be writing it. Look again soon. */
  | { readonly state: 'unfinished' }
  /** It was refused before and could not be moved away. */
  | { readonly state: 'refused' }
  | { readonly state: 'bad'; readonly reason: string; readonly stamp: Stamp }
  | { readonly state: 'good'; readonly value: T; readonly digest: string; readonly stamp: Stamp };

/** What stands in a file. */
type Content = { readonly stamp: Stamp; readonly value: unknown; readonly digest: string };

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads files that other programs write, perhaps at this moment: one that does not parse counts as
 * unfinished until it has not changed for two seconds. One that has not changed is not read again.
 */
export class SignalReader {
  /** Files that do not parse, and since when they have not changed. */
  readonly #unfinished = new Map<string, { readonly key: string; readonly since: number }>();
  readonly #refused = new Map<string, string>();
  /** What files say that have settled. */
  readonly #known = new Map<string, Content>();

  /** Looks at a file once. */
  read<T>(path: string, schema: z.ZodType<T>): Reading<T> {
    const stamp = stampOf(path);
    if (!stamp) return this.#absent(path);
    if (this.#refused.get(path) === stamp.key) return { state: 'refused' };
    const known = this.#known.get(path);
    if (known?.stamp.key === stamp.key && known.stamp.ctimeNs === stamp.ctimeNs)
      return readingOf(known, schema);
    const bytes = readSignal(path);
    if (bytes === undefined) return this.#absent(path);
    if ('reason' in bytes) return { state: 'bad', reason: bytes.reason, stamp };
    const json = parse(bytes);
    if (!json.parsed) return this.#wait(path, stamp, json.reason);
    this.#unfinished.delete(path);
    const digest = sha256(bytes);
    const content = { stamp, value: json.value, digest };
    if (isSettled(stamp)) this.#remember(path, content);
    return readingOf(content, schema);
  }

  /** Passes a file over from now on, until it changes. */
  refuse(path: string, { key }: Stamp): void {
    this.#refused.set(path, key);
  }

  /** When an unfinished file is to be checked again, in ms from now; `undefined`: there is none. */
  nextCheckIn(): number | undefined {
    if (this.#unfinished.size === 0) return undefined;
    const oldest = Math.min(...[...this.#unfinished.values()].map(({ since }) => since));
    return Math.max(0, oldest + PATIENCE_MS - performance.now());
  }

  #remember(path: string, content: Content): void {
    // Files come and go, and nobody says which were read for the last time.
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(path, content);
  }

  #absent(path: string): { state: 'absent' } {
    this.#unfinished.delete(path);
    this.#refused.delete(path);
    this.#known.delete(path);
    return { state: 'absent' };
  }

  #wait(path: string, stamp: Stamp, reason: string): Reading<never> {
    const waiting = this.#unfinished.get(path);
    if (waiting?.key !== stamp.key) {
      this.#unfinished.set(path, { key: stamp.key, since: performance.now() });
      return { state: 'unfinished' };
    }
    if (performance.now() - waiting.since < PATIENCE_MS) return { state: 'unfinished' };
    this.#unfinished.delete(path);
    return { state: 'bad', reason, stamp };
  }
}

function readingOf<T>({ stamp, value, digest }: Content, schema: z.ZodType<T>): Reading<T> {
  const fits = schema.safeParse(value);
  if (fits.success) return { state: 'good', value: fits.data, digest, stamp };
  return { state: 'bad', reason: plainReason(fits.error, value), stamp };
}

/** Whether any later change shows in the stamp. */
function isSettled({ ctimeNs }: Stamp): boolean {
  return BigInt(Date.now()) - ctimeNs / 1_000_000n > SETTLING_MS;
}

function parse(bytes: Buffer): { parsed: true; value: unknown } | { parsed: false; reason: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { parsed: false, reason: 'it is not UTF-8 text' };
  }
  if (text.trim() === '') return { parsed: false, reason: 'it is empty' };
  const value = jsonValue(text);
  return value === undefined ? { parsed: false, reason: 'it is not valid JSON' } : { parsed: true, value };
}
