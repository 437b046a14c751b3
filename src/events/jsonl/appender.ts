import { closeSync } from 'node:fs';
import { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../envelope.ts';
import { ConflictError } from '../log/event-log.ts';
import { openAppendFile, sizeIfStillAt, type AppendFile } from './append-file.ts';
import { endsAt, placeFault } from './place-check.ts';
import { commitGroup, type AppendOutcome, type PendingAppend } from './commit-group.ts';
import { LogLock } from './log-lock.ts';
import { logReplaced } from '../log/log-replaced.ts';
import type { LastSeen } from './last-seen.ts';
import { checkpointStale, logClosed, logPoisoned, MISSING } from './log-errors.ts';
import type { LogIo } from './log-io.ts';
import type { StreamHeads } from './stream-heads.ts';

/** Most events in one group: bounds the time under the lock. One append is never split. */
const MAX_GROUP_EVENTS = 1_000;

type Waiting = PendingAppend & {
  readonly resolve: (stored: readonly StoredEvent[]) => void;
  readonly reject: (error: unknown) => void;
};

/** What one turn under the lock came to. `farBehind`: an append for which too much of the file has to be looked through. */
type Turn =
  | { readonly outcomes: readonly AppendOutcome[] }
  | { readonly replaced: true }
  | { readonly farBehind: Waiting };

/** What an appender needs. */
export type AppenderDeps = {
  readonly path: string;
  readonly io: LogIo;
  readonly lockWaitMs: number;
  readonly seen: LastSeen;
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
  readonly #lock: LogLock;
  #waiting: Waiting[] = [];
  #file: AppendFile | undefined;
  #poison: CliffordError | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: AppenderDeps) {
    this.#deps = deps;
    this.#lock = new LogLock(deps.path, deps.lockWaitMs);
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
    await Promise.resolve();
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

  /** Settles each append of the group, or throws what fails all that are not settled yet. */
  async #commit(group: readonly Waiting[]): Promise<void> {
    if (this.#poison) throw this.#poison;
    const { headsOf } = this.#deps;
    let rest = group;
    while (rest.length > 0) {
      this.#file ??= this.#open();
      const file = this.#file;
      const heads = headsOf(file);
      const turn = await this.#lock.hold(file.fd, () => this.#turn(file, heads, rest));
      if ('outcomes' in turn) {
        if (!turn.outcomes.some(isStored)) this.#lock.wasInVain();
        return this.#settle(file, rest, turn.outcomes);
      }
      if ('replaced' in turn) {
        this.#release();
        for (const { earlier } of rest) earlier?.startOver();
      } else rest = await withPastRead(heads, file, rest, turn.farBehind);
    }
  }

  /** @throws {CliffordError} `LOG_REPLACED` when what this handle has seen is not in the file. */
  #open(): AppendFile {
    const { path, seen } = this.#deps;
    const { place } = seen;
    const file = openAppendFile(path, { create: place.position === 0 });
    const fault = file ? placeFault(file.fd, place) : MISSING;
    if (file && fault === undefined) return file;
    if (file) closeSync(file.fd);
    throw this.#replaced(fault);
  }

  #replaced(fault = ''): CliffordError {
    const { path, seen } = this.#deps;
    return logReplaced(checkpointStale(path, seen.place.position, fault));
  }

  /** What happens under the lock. */
  #turn(file: AppendFile, heads: StreamHeads, group: readonly Waiting[]): Turn {
    const { path, io, seen } = this.#deps;
    const size = sizeIfStillAt(path, file);
    if (size === undefined) return { replaced: true };
    if (size < seen.place.position) throw this.#replaced(endsAt(size));
    try {
      if (heads.isOutgrownBy(size)) this.#lock.sawOthers();
      const end = heads.look(file.fd, size);
      // Searching far back takes long: that is done without the lock, and only the rest with it.
      const far = group.find(
        ({ stream, earlier }) => heads.isFarBehind(stream, end) || earlier?.isFarBehind(end),
      );
      if (far) return { farBehind: far };
      return { outcomes: commitGroup({ fd: file.fd, path, size, end, heads, io, seen }, group) };
    } catch (cause) {
      throw this.#poisonedBy(cause);
    }
  }

  async #settle(
    { fd }: AppendFile,
    group: readonly Waiting[],
    outcomes: readonly AppendOutcome[],
  ): Promise<void> {
    if (outcomes.some(isStored)) {
      try {
        await this.#deps.io.sync(fd);
      } catch (cause) {
        throw this.#poisonedBy(cause);
      }
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index];
      if (!outcome) continue;
      if ('stored' in outcome) resolve(outcome.stored);
      else reject('conflict' in outcome ? new ConflictError(outcome.conflict) : outcome.refused);
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

function isStored(outcome: AppendOutcome): boolean {
  return 'stored' in outcome;
}

/** Looks through what lies far back. Where that is damaged, the appends to that stream fail and the others go on. */
async function withPastRead(
  heads: StreamHeads,
  file: AppendFile,
  group: readonly Waiting[],
  { stream, earlier }: Waiting,
): Promise<readonly Waiting[]> {
  try {
    await heads.catchUp(file.fd, stream);
    await earlier?.catchUp(file.fd);
    return group;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    for (const append of group) if (append.stream === stream) append.reject(error);
    return group.filter((append) => append.stream !== stream);
  }
}
