import { createContext, useContext } from 'react';
import { graphemesOf } from '../../lib/text/cells.ts';

/**
 * How soon behind others a key is taken for one of them, in ms: what is pasted, or sent by a program, may come in pieces. Who
 * types fast has 30 between two keys.
 */
export const TOGETHER_MS = 20;
/** The same, while there was no moment in which it could have been seen that nothing comes: it may have waited. */
const BUSY_MS = 50;
/** Such a moment, in ms: a timer of this is not late by more than that. */
const QUIET_MS = 5;
const LATE_MS = 3;

/** Keys of a terminal that are sequences, whether somebody knows them or not. */
// oxlint-disable-next-line no-control-regex -- this is how a terminal says it
const sequences = /\u001B+(?:\[\[?[0-?]*[ -/]*[@-~]|O[\d;]*[@-~]|[^]|$)/gu;

/** Knows of what was read last whether it was a key alone, or came together with others: in one read, or without a pause. */
export class ReadTogether {
  #isTogether = false;
  #isQuiet = true;
  #readAt = -Infinity;
  #stopWaiting = () => {};

  /** This is read now. */
  take(chunk: string): void {
    const now = performance.now();
    const isSoon = now - this.#readAt < (this.#isQuiet ? TOGETHER_MS : BUSY_MS);
    this.#isTogether = isSoon || !isOneKey(chunk);
    this.#readAt = now;
    this.#isQuiet = false;
    this.#stopWaiting();
    this.#stopWaiting = afterQuiet(QUIET_MS, () => (this.#isQuiet = true));
  }

  get isTogether(): boolean {
    return this.#isTogether;
  }
}

/**
 * Calls this after so many ms in which it could have been seen that something comes; later, where the process had no time to look.
 *
 * @returns what keeps it from being called.
 */
export function afterQuiet(ms: number, then: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (forMs: number) => {
    const due = performance.now() + forMs;
    timer = setTimeout(() => (performance.now() - due > LATE_MS ? wait(QUIET_MS) : then()), forMs);
    // It keeps nobody: who listens to keys is kept by them.
    timer.unref();
  };
  wait(ms);
  return () => clearTimeout(timer);
}

function isOneKey(chunk: string): boolean {
  return graphemesOf(chunk.replaceAll(sequences, 'x')).length <= 1;
}

/** What knows it of the keyboard of a screen; `undefined`: every key comes alone. */
export const ReadTogetherContext = createContext<ReadTogether | undefined>(undefined);

/** Says of each key, as it comes, whether others came together with it; `undefined`: every key comes alone. */
export function useReadTogether(): (() => boolean) | undefined {
  const read = useContext(ReadTogetherContext);
  return read && (() => read.isTogether);
}
