import type { Verification } from '../../workflow/verify/verify-task.ts';
import type { SharedVerification, VerificationEnd } from '../../gateway/call/running-verification.ts';
import type { ToolCall } from '../../gateway/call/tool.ts';

/**
 * How long an end that no call was there to be told counts for the next one, in ms. Later the agent has
 * gone on working, and what was verified is no longer what is there.
 */
const KEPT_MS = 60_000;

/** The verification of a task in this session: the one under way or that ended a moment ago, or a new one. */
export function sharedVerification(
  { project, session, agent, background }: ToolCall,
  { stream, taskId, commands, areOwn }: Pick<Verification, 'stream' | 'taskId' | 'commands' | 'areOwn'>,
): SharedVerification {
  const known = session.verifications;
  const key = JSON.stringify([stream, taskId]);
  const running = known.get(key);
  if (running && !running.stop.signal.aborted && isRecent(running)) return running;

  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, session.ending.signal]);
  const run = async (): Promise<VerificationEnd> => {
    try {
      // Before this one, what is being stopped has to be gone.
      await running?.outcome;
      // Imported late: most tasks have no commands, and no other tool starts programs.
      const { verifyTask } = await import('../../workflow/verify/verify-task.ts');
      const { runId } = agent;
      const excused = await verifyTask(project, { stream, taskId, runId, commands, areOwn, signal });
      return { is: 'verified', excused };
    } catch (error) {
      return { is: 'failed', error };
    }
  };
  const outcome = run();
  background(outcome);
  const verification: SharedVerification = {
    outcome,
    stop,
    callers: 0,
    endedAt: undefined,
    forget: () => {
      if (known.get(key) === verification) known.delete(key);
    },
  };
  known.set(key, verification);
  void outcome.then(() => {
    verification.endedAt = performance.now();
  });
  return verification;
}

function isRecent({ endedAt }: SharedVerification): boolean {
  return endedAt === undefined || performance.now() - endedAt < KEPT_MS;
}
