import { taskOf, type StoredEvent } from '../../events/envelope.ts';
import type { Bookmark, EventLog } from '../../events/log/event-log.ts';
import { isStale, logReplaced } from '../../events/log/log-replaced.ts';
import { commandName } from '../../lib/text/command-name.ts';
import { eventForTask } from '../../machines/fold.ts';
import { taskKind, type TaskInstance } from '../../machines/kinds.ts';
import { isSprintWide, isTaskEvent } from '../../machines/routes.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { TaskEvent } from '../../machines/task.machine.ts';

/** A transition that a task, or its sprint, took. */
export type MachineMove = {
  /** Of the event that moved it, and when that happened. */
  readonly version: number;
  readonly time: string;
  readonly event: string;
  /** Of a sprint: the request that the event is about is a call. Of a task its states say it. */
  readonly isOfCall?: true;
  /** States as {@link nameOf} writes them. Where both are the same, its run changed. */
  readonly from: string;
  readonly to: string;
};

/** An agent that was started for a task. */
export type TaskRun = {
  readonly runId: string;
  /** Of the event with which that began, and when it happened. */
  readonly version: number;
  readonly time: string;
  readonly attempt: number;
  readonly agent: string;
  /** Its command line is known, and what it says from its calls. */
  readonly speaks: boolean;
  /** As the log names it. */
  readonly transcript: string | undefined;
};

/** Which agent it is, an event says that comes later than its run begins. */
type Begun = Omit<TaskRun, 'agent' | 'speaks' | 'transcript'> &
  Partial<Pick<TaskRun, 'agent' | 'speaks' | 'transcript'>>;

type Track = {
  readonly machine: TaskInstance;
  readonly moves: MachineMove[];
  readonly runs: Map<string, Begun>;
};

/** Of so many agents of a task it is shown what they wrote. */
const MOST_RUNS = 8;

/** Where the tasks of a stream went, and who worked on them, event by event. */
export class TaskTracks {
  readonly #tracks = new Map<string, Track>();

  /** The transitions of a task until a version, in order. */
  moves(task: string, until: number): readonly MachineMove[] {
    return this.#tracks.get(task)?.moves.filter(({ version }) => version <= until) ?? [];
  }

  /** The agents that were started for it until a version, in order. */
  runs(task: string, until: number): readonly TaskRun[] {
    const begun = [...(this.#tracks.get(task)?.runs.values() ?? [])];
    return begun.filter((run): run is TaskRun => run.agent !== undefined && run.version <= until);
  }

  /** The last of them, of which it is shown what they wrote, and how many there were before. */
  lastRuns(task: string, until: number): { readonly runs: readonly TaskRun[]; readonly left: number } {
    const all = this.runs(task, until);
    const runs = all.slice(-MOST_RUNS);
    return { runs, left: all.length - runs.length };
  }

  /** Takes the next event of the stream. */
  take(event: StoredEvent): void {
    if (event.type === 'sprint.created' || event.type === 'sprint.amended') {
      for (const { id } of event.data.tasks)
        if (!this.#tracks.has(id))
          this.#tracks.set(id, { machine: taskKind.create(), moves: [], runs: new Map() });
    }
    const own = this.#tracks.get(taskOf(event.subject) ?? '');
    if (own && isTaskEvent(event)) step(own, event, event);
    if (isSprintWide(event))
      for (const [id, track] of this.#tracks) step(track, event, eventForTask(event, id));
    if (own) noteRun(own.runs, event);
  }
}

/** The tracks of now: read from the log when they are asked for, what has come since each time. */
export class TracksOfNow {
  readonly #log: Pick<EventLog, 'select'>;
  readonly #stream: string;
  #tracks = new TaskTracks();
  #end: Bookmark | undefined;
  #reading: Promise<void> | undefined;

  constructor(log: Pick<EventLog, 'select'>, stream: string) {
    this.#log = log;
    this.#stream = stream;
  }

  /** @throws {CliffordError} `LOG_REPLACED`: the next time it is read from the beginning; or why the log cannot be read. */
  async read(): Promise<TaskTracks> {
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    return this.#tracks;
  }

  async #readOn(): Promise<void> {
    try {
      for await (const { events, bookmark } of this.#log.select({ stream: this.#stream, after: this.#end })) {
        for (const event of events) this.#tracks.take(event);
        this.#end = bookmark();
      }
    } catch (error) {
      if (!isStale(error)) throw error;
      this.#tracks = new TaskTracks();
      this.#end = undefined;
      throw logReplaced(error);
    }
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

function noteRun(runs: Map<string, Begun>, event: StoredEvent): void {
  const { streamversion: version, time } = event;
  if (event.type === 'task.started' && event.data.runId !== undefined) {
    const { runId, attempt } = event.data;
    runs.set(runId, { runId, version, time, attempt });
  } else if (event.type === 'agent.started') {
    const { runId, attempt, adapter, agent = commandName(event.data.argv), transcript } = event.data;
    const speaks = event.data.speaks ?? adapter !== 'command';
    const begun = runs.get(runId) ?? { runId, version, time, attempt };
    runs.set(runId, { ...begun, agent, speaks, transcript });
  }
}
