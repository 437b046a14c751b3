import { createContext, useContext } from 'react';
import { graphemesOf } from '../../lib/text/cells.ts';

/**
 * How soon behind others a key is taken for one of them, in ms: what is pasted, or sent by a program, may come in pieces. Who
 * types fast has 30 between two keys.
 */
const TOGETHER_MS = 20;
/** The same, from when all was done that the others led to: it may have waited for that. */
const WAITING_MS = 5;

/** Keys of a terminal that are sequences, whether somebody knows them or not. */
// oxlint-disable-next-line no-control-regex -- this is how a terminal says it
const sequences = /\u001B+(?:\[\[?[0-?]*[ -/]*[@-~]|O[\d;]*[@-~]|[^]|$)/gu;

/** Knows of what was read last whether it was a key alone, or came together with others: in one read, or without a pause. */
export class ReadTogether {
  #isTogether = false;
  #isBusy = false;
  #readAt = -Infinity;
  #doneAt = -Infinity;

  /** This is read now. */
  take(chunk: string): void {
    const now = performance.now();
    const isSoon = now - this.#readAt < TOGETHER_MS || now - this.#doneAt < WAITING_MS;
    this.#isTogether = isSoon || this.#isBusy || !isOneKey(chunk);
    this.#readAt = now;
    this.#isBusy = true;
    setImmediate(() => {
      this.#isBusy = false;
      this.#doneAt = performance.now();
    });
  }

  get isTogether(): boolean {
    return this.#isTogether;
  }
}

function isOneKey(chunk: string): boolean {
  return graphemesOf(chunk.replaceAll(sequences, 'x')).length <= 1;
}

/** What knows it of the keyboard of a screen; `undefined`: every key comes alone. */
export const ReadTogetherContext = createContext<ReadTogether | undefined>(undefined);

/** Says of each key, as it comes, whether others came together with it. */
export function useReadTogether(): () => boolean {
  const read = useContext(ReadTogetherContext);
  return () => read?.isTogether ?? false;
}
