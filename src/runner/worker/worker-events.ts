import type { EventEmitter } from 'node:events';
import type { Project } from '../../workflow/project/project.ts';
import type { RunOutcome } from '../sprint/run-end.ts';
import type { SprintRunner } from '../sprint/sprint-runner.ts';

/** What a machine lacks for a sprint or a task: its files, an agreement to its commands, or what another machine has made of it. */
export type Lack = 'files' | 'agreement' | 'work';

/**
 * How a worker has left a sprint, or a task of one. `returned`, `taken over`: another worker goes on, or will; so it does with `unfit`,
 * where this one could not begin it.
 */
export type SprintLeft = {
  readonly sprint: string;
  readonly how: 'over' | 'unusable' | 'exhausted' | 'unpushed' | 'returned' | 'taken over' | 'unfit';
  readonly reason: string;
  /** What this machine lacks for it, whatever became of it then. */
  readonly lacks?: Lack;
  /** How the run ended, where one did. */
  readonly outcome?: RunOutcome;
};

/** What a worker says while it works. */
export type WorkerEvents = {
  /** No sprint waits for it. Said once for each wait. */
  idle: [];
  /** It has a sprint, and gets its files. */
  take: [{ sprint: string; folder: string }];
  /** The run of it begins. */
  run: [{ project: Project; stream: string; runner: SprintRunner }];
  leave: [SprintLeft];
  /** What is wrong while it goes on. */
  problem: [string];
};

/** Where a worker says it. */
export type WorkerListeners = EventEmitter<WorkerEvents>;
