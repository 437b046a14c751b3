import { join } from 'node:path';
import { refuseLinkedFolders } from '../../lib/files/own-folder.ts';
import { newEvent, type NewEvent, type Source, type StoredEvent } from '../../events/envelope.ts';
import type { EventLog } from '../../events/log/event-log.ts';
import { OutcomeUnknownError } from '../../events/log/outcome-unknown.ts';
import { observedLog } from '../../events/log/observed-log.ts';
import { openReopeningLog } from '../../events/log/reopening-log.ts';
import { hideSecrets, type SecretHider } from '../../events/secrets/hidden-secrets.ts';
import { createRedactor, type Redactor } from '../../events/secrets/redaction.ts';
import type { CliffordError } from '../../errors.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { closingLog } from './closing-log.ts';
import { appendDecision } from './append-decision.ts';
import type { ConfirmOptions } from './confirmed-parts.ts';
import { FoldedLog, type Listener } from './folded-log.ts';
import type { LogTrouble } from './log-follower.ts';
import { STATE_DIR } from './project-root.ts';
import type { MirrorMark } from '../log/mirror-mark.ts';
import { Projections } from '../projections/projections.ts';
import { chosenProjectLog, mirrorInstead, projectLogOf, type ProjectLog } from './chosen-project-log.ts';
import type { OpenLog } from './project-log.ts';
import { KeyedQueue } from '../../lib/keyed-queue.ts';

/** A project: its log, folded, and the only door for decisions about it. Get one by {@link openProject}. */
export type Project = {
  /** Absolute. */
  readonly root: string;
  /** `.clifford`, absolute. */
  readonly dir: string;
  /** The log, for readers of history. Append through {@link Project.dispatch} and {@link Project.record}. */
  readonly log: Pick<EventLog, 'read' | 'select' | 'follow' | 'head'>;
  /** The state as far as the log has been read. Changes in place when events arrive. */
  readonly state: ProjectState;

  /** Why the log cannot be read now, as far as whoever listens or waits has found out: all that is known is of then. */
  readonly trouble: LogTrouble | undefined;

  /** Set where the log is the mirror of one on a server: it is as old as this says, and takes nothing. */
  readonly mirror: MirrorMark | undefined;

  /** Other machines have this log, too: what it says of folders may be of theirs. */
  readonly isShared: boolean;

  /** A text as the log keeps it: secrets are replaced. */
  readonly asLogged: (text: string) => string;
  /** Takes secrets out of what a human sees of a call, and counts them. One for each call. */
  readonly hideSecrets: () => SecretHider;

  /**
   * Folds what was appended since the last look, by whomever.
   *
   * @throws {CliffordError} `LOG_REPLACED`, for good, when the log is no longer the one that was opened: it was
   *   cut, removed or replaced. Why it cannot be read, until it can.
   */
  refresh(): Promise<ProjectState>;

  /**
   * Makes sure that the state of a stream, and what humans granted in any, is what the log says, where it was only
   * taken from a snapshot so far; with `usage` also what agents used today and under which limits they are. Whoever lets
   * something run by {@link Project.state} asks for it first; a decision does by itself.
   */
  confirm(stream: string, options?: ConfirmOptions): Promise<ProjectState>;

  /**
   * Decides on the newest state and appends what was decided, all of it or nothing. When another
   * process was faster, `choose` is asked again with what it did. No candidates: nothing happens.
   *
   * Returns when the events are durable, folded here, and the projections they change are written as far as
   * they can be: see {@link Project.unwritten}. What is durable is never rejected: if the log cannot be read any more,
   * {@link Project.refresh} says so.
   *
   * @throws {IllegalDecision} when a machine refuses; nothing was appended.
   * @throws {CliffordError} with recovery `retry` or `reopen`: nothing was appended, it can be tried again;
   *   {@link OutcomeUnknownError} alone leaves open whether it was. `LOG_CONTENDED` when others were always faster.
   */
  dispatch(
    stream: string,
    choose: (state: ProjectState) => readonly Candidate[],
  ): Promise<readonly StoredEvent[]>;

  /**
   * Records facts that happened whatever the state. Durable when it returns.
   *
   * @throws {CliffordError} with recovery `retry` or `reopen`: nothing was appended, it can be tried again.
   *   {@link OutcomeUnknownError} alone leaves open whether it was: recorded again, the same array is the same events,
   *   so that the log has them once.
   * @param facts - `id`: that of the event, where something was noted by it before. Default: a new one.
   */
  record(
    stream: string,
    facts: readonly (Candidate & { readonly id?: string })[],
  ): Promise<readonly StoredEvent[]>;

  /** The files that follow the log and could not be written so far, a reason each. They are tried again. */
  unwritten(): readonly CliffordError[];

  /** Brings the files that follow a stream up to date, where somebody before could not. */
  writeProjections(stream: string): Promise<void>;

  /**
   * Calls `listener` after each batch of new events, own or foreign, until the returned function is
   * called. When the log cannot be read any more it is called without events, and `refresh` rejects; it is
   * called again once the log can be read.
   */
  subscribe(listener: Listener): () => void;

  /**
   * Waits until `probe` returns something but `undefined`, woken by the log, and returns that. While the log cannot be read for
   * now, as one on a server that is away, it waits on.
   *
   * @throws the signal's reason when it aborts; the log's error when it cannot be read any more;
   *   `LOG_REPLACED` when it is another one; `PROJECT_CLOSED`.
   */
  until<T>(probe: (state: ProjectState) => T | undefined, options?: { signal?: AbortSignal }): Promise<T>;

  /**
   * This project for another part of the same process: what is recorded through it has that source. Log, fold and
   * decisions are shared; it is closed with this one, not by its own `close`.
   */
  as(source: Source): Project;

  /** This project for work in another folder that has its files, such as a worktree: that is its root. */
  at(root: string): Project;

  /** Stops following and closes the log. Safe to call twice. Calls after it reject with `PROJECT_CLOSED`. */
  close(): Promise<void>;
};

/** Which project is opened, and by whom. */
type ProjectPlace = {
  /** Absolute. */
  readonly root: string;
  /** Who this process is in the events it records. */
  readonly source: Source;
  /** Where secrets to keep out of the log are looked for, usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Asked before anything is recorded, of decisions with the state on which they are appended. @throws why this process may not write
   * to that stream any more. Default: it may.
   */
  readonly guard?: ((state: ProjectState, stream: string) => void) | undefined;
};

/**
 * Opens a project, folding its log from the last snapshot. `.clifford/` is made with the first event.
 *
 * @param openLog - Where its log is. Default: where `--log`, `CLIFFORD_LOG` or the configuration say, else in the file
 *   `.clifford/events.jsonl`.
 * @param onAway - As `chosenProjectLog` has it, and `awayUntil`.
 * @param mayBeMirror - Where the server of the log cannot be reached, its mirror does: who opens it only looks.
 * @throws {CliffordError} as `chosenProjectLog` does; `LOG_CORRUPT` or `LOG_NEWER` when the log cannot be read; `FOLDER_LINKED` when a folder of
 *   `.clifford/` leads elsewhere.
 */
export async function openProject({
  openLog,
  mayBeMirror = false,
  onAway,
  awayUntil,
  ...place
}: ProjectPlace & {
  openLog?: OpenLog;
  mayBeMirror?: boolean | undefined;
  onAway?: ((error: CliffordError) => void) | undefined;
  awayUntil?: number | undefined;
}): Promise<Project> {
  const { root, env } = place;
  const dir = join(root, STATE_DIR);
  refuseLinkedFolders(dir, root);
  const chosen = openLog ? projectLogOf(openLog) : await chosenProjectLog({ root, env, onAway, awayUntil });
  try {
    return await openChosen(place, dir, chosen);
  } catch (error) {
    const mirror = mayBeMirror ? mirrorInstead(error, dir, chosen) : undefined;
    if (!mirror) throw error;
    return openChosen(place, dir, mirror);
  }
}

async function openChosen(
  place: ProjectPlace,
  dir: string,
  { open, snapshot, served, mirror }: ProjectLog,
): Promise<Project> {
  const redact = createRedactor(place.env);
  const log = closingLog(observedLog(await openReopeningLog(() => open({ dir, redact }))));
  const fold = new FoldedLog(log, join(dir, 'cache', snapshot));
  const project = createProject({
    ...place,
    dir,
    log,
    fold,
    redact,
    mirror,
    isShared: served !== undefined || mirror !== undefined,
  });
  try {
    await project.refresh();
  } catch (error) {
    await project.close();
    throw error;
  }
  return project;
}

type ProjectParts = ProjectPlace & {
  readonly dir: string;
  readonly log: EventLog;
  readonly fold: FoldedLog;
  readonly redact: Redactor;
} & Pick<Project, 'mirror' | 'isShared'>;

function createProject({
  root,
  dir,
  source,
  env,
  guard,
  log,
  fold,
  redact,
  mirror,
  isShared,
}: ProjectParts): Project {
  const refresh = () => fold.refresh();
  const projections = new Projections({ root, dir, refresh });
  const decisions = new KeyedQueue();
  /** Facts of which nobody knows whether they are in the log, and the events that they are there. */
  const undecided = new WeakMap<readonly Candidate[], readonly NewEvent[]>();

  const projectOf = (by: Source, close: Project['close'], place = root): Project => ({
    root: place,
    dir,
    log,
    get state() {
      return fold.state;
    },
    get trouble() {
      return fold.trouble;
    },
    mirror,
    isShared,
    asLogged: (text) => String(redact('help.requested', text)),
    hideSecrets: () => hideSecrets(env),
    refresh,
    confirm: (stream, options) => fold.confirm(stream, options),

    async dispatch(stream, choose) {
      // Those of one process would only be in conflict with each other.
      const guarded = (state: ProjectState) => {
        guard?.(state, stream);
        return choose(state);
      };
      const stored = await decisions.take(stream, () =>
        appendDecision({ dir, isShared, log, fold }, { by, stream, choose: guarded }),
      );
      await projections.write(stored);
      return stored;
    },

    async record(stream, facts) {
      guard?.(fold.state, stream);
      const known = undecided.get(facts);
      const events = known ?? facts.map((fact) => newEvent(by, fact, fact));
      try {
        const isRetry = known !== undefined;
        const stored = await log.append(stream, events, { expectedVersion: 'any', isRetry });
        await fold.reach(stream, stored);
        return stored;
      } catch (error) {
        if (error instanceof OutcomeUnknownError) undecided.set(facts, events);
        throw error;
      }
    },

    unwritten: () => projections.problems,
    writeProjections: (stream) => projections.writeAll(stream),

    subscribe: (listener) => fold.subscribe(listener),
    until: (probe, options) => fold.until(probe, options),

    as: (other) => projectOf(other, async () => undefined, place),
    at: (folder) => projectOf(by, async () => undefined, folder),
    close,
  });

  return projectOf(source, async () => {
    await projections.close();
    await fold.close();
    await log.close();
  });
}
