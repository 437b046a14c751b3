import type { EventLog, Selection } from '../../events/event-log.ts';
import { applyEvent } from '../../machines/fold.ts';
import { policyTypes } from '../../machines/fold-policy.ts';
import type { ProjectState } from '../../machines/project-state.ts';

/**
 * Folds one stream, the rules that humans granted and the known definitions of tools into `state`, from nothing but the
 * log. Whatever else the state has is not complete.
 *
 * @throws {CliffordError} when that part of the log cannot be read.
 */
export async function foldStream(
  log: Pick<EventLog, 'select'>,
  state: ProjectState,
  range: Omit<Selection, 'types'>,
): Promise<void> {
  for await (const events of log.select({ ...range, types: policyTypes }))
    for (const event of events) applyEvent(state, event);
}
