import type { StoredEvent } from '../../events/envelope.ts';
import type { Selection } from '../../events/jsonl/select-events.ts';
import { applyEvent } from '../../machines/fold.ts';
import { policyTypes } from '../../machines/fold-policy.ts';
import { createProjectState } from '../../machines/project-state.ts';
import type { ProjectState } from '../../machines/project-state.ts';

/** The selected events, as they stand in the log now. */
export type SelectEvents = (selection: Selection) => Iterable<StoredEvent>;

/**
 * The state of one stream, the rules that humans granted and the known definitions of tools, from nothing but the log
 * before the byte `end`. Whatever else the state has is not complete.
 *
 * @throws {CliffordError} when that part of the log cannot be read.
 */
export function foldStream(
  select: SelectEvents,
  { stream, end }: Pick<Selection, 'stream' | 'end'>,
): ProjectState {
  const state = createProjectState();
  for (const event of select({ stream, types: policyTypes, end })) applyEvent(state, event);
  return state;
}
