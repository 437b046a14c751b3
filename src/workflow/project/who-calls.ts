import { relatedProcesses, startedWith } from '../../lib/processes/related-processes.ts';

/** Variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The variable that marks every process of an attempt. */
export const RUN_ID_VARIABLE = 'CLIFFORD_RUN_ID';

/** An agent of a runner, or something it started: its attempt, and how that is known. */
type CallingAgent = { readonly runId: string; readonly evidence: 'environment' | 'ancestry' };

/**
 * Says which agent of a runner has started this process; `undefined`: none, as far as can be told. It is known by the
 * variable of its attempt: in this environment, or, on Linux, in that with which this process or one that it descends
 * from was started, so that a shell which clears its environment is known as well.
 *
 * @param env - What the process goes by. An embedding program may hand over another one than it has.
 */
export function whoCalls(env: Env): CallingAgent | undefined {
  const named = env[RUN_ID_VARIABLE] || process.env[RUN_ID_VARIABLE];
  if (named) return { runId: named, evidence: 'environment' };
  const runId = markedProcesses()[0]?.runId;
  return runId ? { runId, evidence: 'ancestry' } : undefined;
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

/** This process, and those it descends from or works for, the nearest first, as far as they are of an attempt. */
function markedProcesses(): { pid: number; runId: string }[] {
  return [process.pid, ...relatedProcesses()].flatMap((pid) => {
    const runId = startedWith(pid, RUN_ID_VARIABLE);
    return runId ? [{ pid, runId }] : [];
  });
}
