import type { EventLog, Selection } from '../../events/log/event-log.ts';
import { applyEvent } from '../../machines/fold.ts';
import { usageTypes } from '../../machines/fold-agent.ts';
import { policyTypes } from '../../machines/fold-policy.ts';
import { createProjectState, type ProjectState } from '../../machines/project-state.ts';
import { latestLimitEnd } from '../../machines/usage-limit.ts';

/** What the log says of one stream, and of what is the same for all. Whatever else the state has is not complete. */
export type StreamFold = {
  readonly state: ProjectState;
  /** When the last limit ends that an agent of any stream may be under, ms since the epoch; 0: no agent was refused. */
  limitedUntil: number;
};

/** Nothing was read. */
export function emptyStreamFold(): StreamFold {
  return { state: createProjectState(), limitedUntil: 0 };
}

/** Of all streams, where the use of agents counts, too. */
const withUsageTypes = policyTypes.union(usageTypes);

/**
 * Folds one stream, the rules that humans granted and the known definitions of tools, and on request what agents have
 * used, into `fold`, from nothing but the log.
 *
 * @throws {CliffordError} when that part of the log cannot be read.
 */
export async function foldStream(
  log: Pick<EventLog, 'select'>,
  fold: StreamFold,
  { withUsage, ...range }: Omit<Selection, 'types'> & { readonly withUsage: boolean },
): Promise<void> {
  for await (const { events } of log.select({ ...range, types: withUsage ? withUsageTypes : policyTypes })) {
    for (const event of events) {
      applyEvent(fold.state, event);
      if (event.type === 'agent.limited')
        fold.limitedUntil = Math.max(fold.limitedUntil, latestLimitEnd(event));
    }
  }
}
