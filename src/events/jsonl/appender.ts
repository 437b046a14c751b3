import { closeSync } from 'node:fs';
import { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../envelope.ts';
import { isStillAt, openAppendFile } from './append-file.ts';
import type { AppendFile } from './append-file.ts';
import { commitGroup } from './commit-group.ts';
import type { AppendOutcome, PendingAppend } from './commit-group.ts';
import { underLock } from './file-lock.ts';
import { logClosed, logPoisoned } from './log-errors.ts';
import type { LogIo } from './log-io.ts';
import type { StreamHeads } from './stream-heads.ts';
import { sizeOf } from './tail.ts';

/** Most events in one group: bounds the time under the lock. One append is never split. */
const MAX_GROUP_EVENTS = 1_000;

type Waiting = PendingAppend & {
  readonly resolve: (stored: readonly StoredEvent[]) => void;
  readonly reject: (error: unknown) => void;
};

export type AppenderDeps = {
  readonly path: string;
  readonly io: LogIo;
  readonly lockWaitMs: number;
  /** What is known about the file that was just opened. */
  readonly headsOf: (file: AppendFile) => StreamHeads;
};

/**
 * Appends in groups: what arrives while a group is being committed forms the next one, which then
 * shares one lock, one write and one sync.
 *
 * The sync comes after the lock is released. So the syncs of several processes overlap, and each of
 * them covers what the others wrote before it.
 */
export class Appender {
  readonly #deps: AppenderDeps;
  #waiting: Waiting[] = [];
  #file: AppendFile | undefined;
  #poison: CliffordError | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: AppenderDeps) {
    this.#deps = deps;
  }

  /** Resolves when the events are durable. @throws as `EventLog.append` does. */
  append(pending: PendingAppend): Promise<readonly StoredEvent[]> {
    if (this.#isClosed) return Promise.reject(logClosed(this.#deps.path));
    if (this.#poison) return Promise.reject(this.#poison);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...pending, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Waits for the appends under way, then lets go of the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    this.#release();
  }

  async #run(): Promise<void> {
    // One turn of the microtask queue: appends made together get into the first group.
    await undefined;
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        await this.#commit(group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running = undefined;
  }

  #nextGroup(): Waiting[] {
    let events = 0;
    const full = this.#waiting.findIndex((append, index) => {
      events += append.events.length;
      return index > 0 && events > MAX_GROUP_EVENTS;
    });
    return this.#waiting.splice(0, full === -1 ? this.#waiting.length : full);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    if (this.#poison) throw this.#poison;
    const { fd, outcomes } = await this.#write(group);
    if (outcomes.some((outcome) => 'stored' in outcome)) await this.#sync(fd);
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome && 'stored' in outcome) resolve(outcome.stored);
      else reject(outcome?.refused);
    }
  }

  /** Writes the group into the file that `path` names at that moment. */
  async #write(group: readonly Waiting[]): Promise<{ fd: number; outcomes: AppendOutcome[] }> {
    const { path, io, lockWaitMs, headsOf } = this.#deps;
    for (;;) {
      this.#file ??= openAppendFile(path);
      const file = this.#file;
      const heads = headsOf(file);
      for (const { stream } of group) {
        if (heads.isFarBehind(stream, sizeOf(file.fd))) await heads.catchUp(file.fd, stream);
      }
      const outcomes = await underLock(file.fd, { file: path, waitMs: lockWaitMs }, () => {
        if (!isStillAt(path, file)) return undefined;
        return this.#poisoning(() => commitGroup({ fd: file.fd, path, heads, io }, group));
      });
      if (outcomes) return { fd: file.fd, outcomes };
      this.#release();
    }
  }

  async #sync(fd: number): Promise<void> {
    try {
      await this.#deps.io.sync(fd);
    } catch (cause) {
      throw this.#poisonedBy(cause);
    }
  }

  #poisoning<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw this.#poisonedBy(cause);
    }
  }

  #poisonedBy(cause: unknown): CliffordError {
    this.#poison = logPoisoned(this.#deps.path, cause);
    return this.#poison;
  }

  #release(): void {
    if (this.#file) closeSync(this.#file.fd);
    this.#file = undefined;
  }
}
