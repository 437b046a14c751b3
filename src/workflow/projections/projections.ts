import { descriptorOf } from '../../events/catalog.ts';
import { projections, type Projection } from '../../events/descriptor.ts';
import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import type { CliffordError } from '../../errors.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { projectionFiles, type ProjectionFile, type ProjectPlace } from './projection-files.ts';
import { underProjectionLock } from './projection-lock.ts';
import { unwrittenFor } from './unwritable.ts';

/** What the projections need of a project. */
type Source = ProjectPlace & { readonly refresh: () => Promise<ProjectState> };

/** What changed in a stream since its files were written. */
type Due = ReadonlySet<Projection>;

const everything: Due = new Set(projections);

/** How long a call waits for other writers, in ms: what it decided is durable already. */
const LOCK_WAIT_MS = 2_000;

/** How long one waits that nobody waits for, in ms. */
const RETRY_LOCK_WAIT_MS = 50;

/** Delay before what could not be written is written again, in ms. It doubles up to the longest. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;

/**
 * Brings the files that follow the log up to date with it: the statuses in `manifest.json`,
 * `.clifford/memory.json`, `.clifford/policy.json` and `uat.md`. They are written from the newest state under a lock of their own, so
 * that of several writers the last one writes the newest.
 *
 * A file that cannot be written, for whatever reason, fails nobody: it is written again later, until it is up to date.
 */
export class Projections {
  readonly #project: Source;
  /** By stream, what is not written yet. */
  readonly #due = new Map<string, Due>();
  readonly #turns = new KeyedQueue();
  /** The writing that has not begun: whoever comes before it begins shares it. */
  #next: Promise<void> | undefined;
  /** By path, what could not be written. */
  #problems: ReadonlyMap<string, CliffordError> = new Map();
  #retry: { readonly timer: NodeJS.Timeout; readonly delayMs: number } | undefined;
  #isClosed = false;

  constructor(project: Source) {
    this.#project = project;
  }

  /** What could not be written so far: `PROJECTION_UNWRITABLE` each. It is tried again. */
  get problems(): readonly CliffordError[] {
    return [...this.#problems.values()];
  }

  /**
   * Writes what these events of one stream change. What comes while the files are being written is
   * written at once after that: a hundred questions are not a hundred waits for the lock.
   */
  async write(events: readonly StoredEvent[]): Promise<void> {
    const [first] = events;
    const changed = new Set(events.flatMap(({ type }) => descriptorOf(type).projections ?? []));
    if (!first || changed.size === 0) return;
    await this.#writeDue(streamOf(first.subject), changed);
  }

  /** Writes all files of a stream that are not as the log says, e.g. because nobody could write them then. */
  async writeAll(stream: string): Promise<void> {
    await this.#writeDue(stream, everything);
  }

  /** Tries once more what could not be written, and ends the trying. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#retry?.timer);
    if (this.#due.size > 0) await this.#share();
  }

  async #writeDue(stream: string, what: Due): Promise<void> {
    this.#isDue(stream, what);
    await this.#share();
  }

  #isDue(stream: string, what: Due): void {
    this.#due.set(stream, what.union(this.#due.get(stream) ?? new Set()));
  }

  #share(): Promise<void> {
    this.#next ??= this.#turns.take('projections', () => {
      this.#next = undefined;
      return this.#writeNow();
    });
    return this.#next;
  }

  /** Writes all that is due. What cannot be written stays due. Never rejects. */
  async #writeNow(): Promise<void> {
    const due = [...this.#due];
    this.#due.clear();
    const { dir, refresh } = this.#project;
    const waitMs = this.#problems.size > 0 ? RETRY_LOCK_WAIT_MS : LOCK_WAIT_MS;
    const problems = new Map<string, CliffordError>();
    try {
      await underProjectionLock({ dir, name: 'projections', waitMs }, async () => {
        const state = await refresh();
        for (const [stream, what] of due)
          for (const file of projectionFiles(this.#project, state, stream)) {
            const problem = what.has(file.holds) ? await problemOf(file) : undefined;
            if (!problem) continue;
            problems.set(file.path, problem);
            this.#isDue(stream, what);
          }
      });
    } catch (error) {
      problems.set('', unwrittenFor('the files that follow the log', error));
      for (const [stream, what] of due) this.#isDue(stream, what);
    }
    this.#problems = problems;
    this.#retryLater();
  }

  #retryLater(): void {
    clearTimeout(this.#retry?.timer);
    const before = this.#retry?.delayMs ?? FIRST_RETRY_MS / 2;
    this.#retry = undefined;
    if (this.#due.size === 0 || this.#isClosed) return;
    const delayMs = Math.min(before * 2, LONGEST_RETRY_MS);
    // It keeps no process alive: the next decision about the stream brings its files up to date.
    const timer = setTimeout(() => void this.#share().catch(() => undefined), delayMs).unref();
    this.#retry = { timer, delayMs };
  }
}

/** Brings a file up to date. Returns why it cannot be written, if it cannot. */
async function problemOf({ path, write }: ProjectionFile): Promise<CliffordError | undefined> {
  try {
    await write();
    return undefined;
  } catch (cause) {
    return unwrittenFor(path, cause);
  }
}
