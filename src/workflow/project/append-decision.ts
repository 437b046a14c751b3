import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { ConflictError, type EventLog } from '../../events/log/event-log.ts';
import type { Source, StoredEvent } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { decide } from './decide.ts';
import type { FoldedLog } from './folded-log.ts';
import { isBeingRun, isQueued } from '../queue/worker-of.ts';

/** How often a decision is made again because another writer was faster. */
const MAX_CONFLICTS = 100;

/** So many times it is made again at once: whoever reads a file has the newest state at hand. */
const AT_ONCE = 3;
/** Pauses after that: any part of these. */
const PAUSE = { firstMs: 2, longestMs: 20 };

/** The log that is appended to, and its fold. */
type DecisionDeps = {
  /** The project's `.clifford`. */
  readonly dir: string;
  readonly isShared: boolean;
  readonly log: Pick<EventLog, 'append'>;
  readonly fold: FoldedLog;
};

/** A decision about a stream, and who takes it. */
type Decision = {
  readonly by: Source;
  readonly stream: string;
  readonly choose: (state: ProjectState) => readonly Candidate[];
};

/** `Project.dispatch` but for the projections: decides and appends, again when another process was faster. */
export async function appendDecision(
  { dir, isShared, log, fold }: DecisionDeps,
  { by, stream, choose }: Decision,
): Promise<readonly StoredEvent[]> {
  await fold.confirm(stream);
  for (let conflicts = 0; ;) {
    const state = await fold.refresh();
    const candidates = choose(state);
    if (candidates.length === 0) return [];
    const events = decide(state, by, stream, candidates, () => ({
      hasRunner: isBeingRun({ dir, state, isShared }, stream),
      isQueued: isQueued(state, stream),
    }));
    const expectedVersion = state.streams.get(stream)?.version ?? 0;
    try {
      const stored = await log.append(stream, events, { expectedVersion });
      await fold.reach(stream, stored);
      return stored;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      conflicts += 1;
      if (conflicts >= MAX_CONFLICTS) throw contended(stream, error);
      await yieldToOthers(conflicts);
    }
  }
}

/** Waits before a decision is made again, after so many conflicts in a row. */
async function yieldToOthers(conflicts: number): Promise<void> {
  if (conflicts <= AT_ONCE) return;
  await pause(Math.random() * backoffMs(PAUSE, conflicts - AT_ONCE - 1));
}

/** Others were always faster. Nothing was appended. */
function contended(stream: string, cause: ConflictError): CliffordError {
  return new CliffordError(
    `Cannot decide about ${stream}: ${MAX_CONFLICTS} times in a row another writer was faster`,
    {
      code: 'LOG_CONTENDED',
      fix: 'Find out who writes so much to this stream, then try again',
      recovery: 'retry',
      cause,
    },
  );
}
