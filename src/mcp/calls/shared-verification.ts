import type { Excused, Verification } from '../../workflow/verify/verify-task.ts';
import type { Session } from '../../gateway/call/session.ts';
import type { ToolCall } from '../../gateway/call/tool.ts';

/** They succeeded, but for those that are excused; or what was thrown. */
type Outcome =
  | { readonly is: 'verified'; readonly excused: readonly Excused[] }
  | { readonly is: 'failed'; readonly error: unknown };

/**
 * How long an end that no call was there to be told counts for the next one, in ms. Later the agent has
 * gone on working, and what was verified is no longer what is there.
 */
const KEPT_MS = 60_000;

/** The commands of one task under way, or ended a moment ago and not told to a call yet. */
export type SharedVerification = {
  /** How they ended. Never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Ends them. So does the end of the session. */
  readonly stop: AbortController;
  /** Calls that wait for them. */
  callers: number;
  /** When they ended, in ms of `performance.now()`; `undefined` while they run. */
  endedAt: number | undefined;
  /** Its end was told: the next call begins anew. */
  readonly forget: () => void;
};

const underWay = new WeakMap<Session, Map<string, SharedVerification>>();

/** The verification of a task in this session: the one under way or that ended a moment ago, or a new one. */
export function sharedVerification(
  { project, session, agent, background }: ToolCall,
  { stream, taskId, commands, areOwn }: Pick<Verification, 'stream' | 'taskId' | 'commands' | 'areOwn'>,
): SharedVerification {
  const known = underWay.get(session) ?? new Map<string, SharedVerification>();
  underWay.set(session, known);
  const key = JSON.stringify([stream, taskId]);
  const running = known.get(key);
  if (running && !running.stop.signal.aborted && isRecent(running)) return running;

  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, session.ending.signal]);
  const run = async (): Promise<Outcome> => {
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
