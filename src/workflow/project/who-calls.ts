import { relatedProcesses, startedWith } from '../../lib/processes/related-processes.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The variable that marks every process of an attempt. */
export const RUN_ID_VARIABLE = 'CLIFFORD_RUN_ID';

/** Who has started this process, and how that is known. */
export type Caller =
  /** An agent of a runner, or something it started: its attempt. */
  | { readonly is: 'agent'; readonly runId: string; readonly evidence: 'environment' | 'ancestry' }
  /** No agent of a runner, and somebody sits at a terminal. */
  | { readonly is: 'human'; readonly evidence: 'terminal' }
  /** No agent of a runner, as far as can be told: a script, CI, an agent that nobody started with Clifford. */
  | { readonly is: 'unknown' };

/**
 * Says who has started this process. An agent is known by the variable of its attempt: in this environment, or, on
 * Linux, in that of a process it descends from, so that a shell which clears its environment is known as well.
 */
export function whoCalls(env: Env, { hasTerminal }: { hasTerminal: boolean }): Caller {
  const named = env[RUN_ID_VARIABLE];
  if (named) return { is: 'agent', runId: named, evidence: 'environment' };
  const runId = markedProcesses()[0]?.runId;
  if (runId) return { is: 'agent', runId, evidence: 'ancestry' };
  return hasTerminal ? { is: 'human', evidence: 'terminal' } : { is: 'unknown' };
}

/**
 * A variable that only a person may set: what it is worth. In a process of an agent it counts if all processes of the
 * attempt above it were started with it, so from the runner on, whatever a shell says since. Where there is no `/proc`
 * that is not known, and it counts.
 */
export function humansVariable(env: Env, name: string): string | undefined {
  const value = env[name];
  if (value === undefined) return undefined;
  return markedProcesses().every(({ pid }) => startedWith(pid, name) === value) ? value : undefined;
}

/** The processes of an attempt that this one descends from or works for, the nearest first. */
function markedProcesses(): { pid: number; runId: string }[] {
  return relatedProcesses().flatMap((pid) => {
    const runId = startedWith(pid, RUN_ID_VARIABLE);
    return runId ? [{ pid, runId }] : [];
  });
}
