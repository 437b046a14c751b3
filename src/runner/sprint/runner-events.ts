import type { EventEmitter } from 'node:events';
import type { OutputChannel } from '../../lib/processes/start-group.ts';
import type { QuestionRecord } from '../../workflow/requests/question-record.ts';
import type { RunEnd } from './run-end.ts';

/** What a runner says while it runs a sprint. */
export type SprintRunnerEvents = {
  /** The runner has the sprint, by its id. */
  start: [{ sprint: string }];
  /** The commands that will verify a task are run before the work on it begins. */
  prepare: [{ task: string; commands: readonly string[] }];
  /** The commands that verify a task are run: its agent has said by its exit code that it is done. */
  verify: [{ task: string; commands: readonly string[] }];
  /** `agent`: its name, as in rules and in the log. */
  'task-start': [{ task: string; attempt: number; runId: string; agent: string }];
  /** Text that an agent printed, as it came. */
  output: [{ task: string; runId: string; channel: OutputChannel; text: string }];
  /** The commit of a completed task is being made. */
  commit: [{ task: string }];
  /** The changes of a completed task are about to be merged into its branch: the log says when they are. */
  merge: [{ task: string; into: string }];
  /** A question to a human was asked, or was open when the run began: all that is needed to answer it. */
  halt: [QuestionRecord];
  /** A task cannot go on before `until` (ms since the epoch), because a usage limit is reached. */
  wait: [{ task: string; why: string; until: number }];
  /** The sprint is paused and nothing of it is at work any more: no task starts before somebody resumes it. */
  paused: [{ sprint: string }];
  /** An agent has been silent for half of the time that it may, in ms. */
  silence: [{ task: string; runId: string; silentMs: number; limitMs: number }];
  /**
   * What somebody may have to look at while the run goes on: a mistake in a configuration file, an agent that cannot be
   * started as it is configured now, a log or a file that cannot be written for the moment, commands that were taken unseen.
   */
  problem: [string];
  stop: [RunEnd];
};

/** Where a runner says it. */
export type RunnerListeners = EventEmitter<SprintRunnerEvents>;
