import type { RunOptions } from '../../events/descriptors/sprint-events.ts';
import type { TaskFlags } from '../../workflow/config/task-settings.ts';

/** Who is to work on the tasks, and how often it may fail. */
type AgentOptions = {
  readonly agent?: string | undefined;
  readonly agentCmd?: string | undefined;
  readonly agentVia?: 'acp' | 'cli' | undefined;
  readonly model?: string | undefined;
  readonly maxAttempts?: number | undefined;
};

/** What holds for the whole run. */
type WholeOptions = {
  readonly parallel?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly failFast?: boolean | undefined;
};

/** What somebody who starts a run says of all its tasks. */
export function flagsOf({ agent, agentCmd, agentVia, model, maxAttempts }: AgentOptions): TaskFlags {
  const said = <T>(flag: string, value: T | undefined) =>
    value === undefined ? undefined : { value, origin: flag };
  return {
    agent: said('--agent', agent),
    agentCmd: said(agentVia === 'acp' ? '--agent-acp' : '--agent-cmd', agentCmd),
    model: said('--model', model),
    maxAttempts: said('--max-attempts', maxAttempts),
  };
}

/** What they say that the log keeps, so that the run can be gone on with alike. `undefined`: nothing. */
export function runOptionsOf({ parallel, maxAttempts, failFast }: WholeOptions): RunOptions | undefined {
  const options: RunOptions = {
    ...(parallel !== undefined && { parallel }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(failFast && { failFast }),
  };
  return Object.keys(options).length > 0 ? options : undefined;
}
