import type { EventEmitter } from 'node:events';
import type { OutputChannel } from './agent-process.ts';
import type { RunEnd } from './run-end.ts';

/** What a runner says while it runs a sprint. */
export type SprintRunnerEvents = {
  /** The runner has the sprint, by its id. */
  start: [{ sprint: string }];
  'task-start': [{ task: string; attempt: number; runId: string }];
  /** Text that an agent printed, as it came. */
  output: [{ task: string; runId: string; channel: OutputChannel; text: string }];
  /** A request to a human was opened, or was open when the run began. Without a task: the sprint's. */
  halt: [{ task: string | undefined; reason: string; question: string }];
  /** A mistake in a configuration file, or an agent that cannot be started as it is configured now. The run goes on. */
  problem: [string];
  stop: [RunEnd];
};

/** Where a runner says it. */
export type RunnerListeners = EventEmitter<SprintRunnerEvents>;
