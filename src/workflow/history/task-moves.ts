import { taskOf, type StoredEvent } from '../../events/envelope.ts';
import type { Bookmark, EventLog } from '../../events/log/event-log.ts';
import { isStale, logReplaced } from '../../events/log/log-replaced.ts';
import { eventForTask } from '../../machines/fold.ts';
import { taskKind, type TaskInstance } from '../../machines/kinds.ts';
import { isSprintWide, isTaskEvent } from '../../machines/routes.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { TaskEvent } from '../../machines/task.machine.ts';

/** A transition that a task took. */
export type TaskMove = {
  /** Of the event that moved it, and when that happened. */
  readonly version: number;
  readonly time: string;
  readonly event: string;
  /** States as {@link nameOf} writes them. Where both are the same, its run changed. */
  readonly from: string;
  readonly to: string;
};

/** One task, and where it went. */
type Track = { readonly machine: TaskInstance; readonly moves: TaskMove[] };

/** The transitions that the tasks of a stream took: read from the log when they are asked for, what has come since each time. */
export class TaskMoves {
  readonly #log: Pick<EventLog, 'select'>;
  readonly #stream: string;
  readonly #tracks = new Map<string, Track>();
  #end: Bookmark | undefined;
  #reading: Promise<void> | undefined;

  constructor(log: Pick<EventLog, 'select'>, stream: string) {
    this.#log = log;
    this.#stream = stream;
  }

  /**
   * Those of a task until a version, in order.
   *
   * @throws {CliffordError} `LOG_REPLACED`, or why the log cannot be read.
   */
  async until(version: number, task: string): Promise<readonly TaskMove[]> {
    this.#reading ??= this.#readOn();
    await this.#reading;
    return this.#tracks.get(task)?.moves.filter((move) => move.version <= version) ?? [];
  }

  async #readOn(): Promise<void> {
    try {
      for await (const { events, bookmark } of this.#log.select({ stream: this.#stream, after: this.#end })) {
        for (const event of events) this.#take(event);
        this.#end = bookmark();
      }
    } catch (error) {
      throw isStale(error) ? logReplaced(error) : error;
    } finally {
      this.#reading = undefined;
    }
  }

  #take(event: StoredEvent): void {
    if (event.type === 'sprint.created' || event.type === 'sprint.amended') {
      for (const { id } of event.data.tasks)
        if (!this.#tracks.has(id)) this.#tracks.set(id, { machine: taskKind.create(), moves: [] });
    }
    const own = this.#tracks.get(taskOf(event.subject) ?? '');
    if (own && isTaskEvent(event)) step(own, event, event);
    if (isSprintWide(event))
      for (const [id, track] of this.#tracks) step(track, event, eventForTask(event, id));
  }
}

function step({ machine, moves }: Track, { streamversion, time }: StoredEvent, event: TaskEvent): void {
  const from = nameOf(machine.value);
  const before = machine.context;
  machine.step(event);
  const to = nameOf(machine.value);
  // A state may be entered anew from itself: whether a machine has such a way, its diagram says.
  if (from === to && before.runId === machine.context.runId) return;
  moves.push({ version: streamversion, time, event: event.type, from, to });
}
