import type { StoredEvent } from '../../src/events/envelope.ts';
import { applyEvent } from '../../src/machines/fold.ts';
import { pinsToSnapshot, toSnapshot } from '../../src/machines/project-snapshot.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import type { ProjectState } from '../../src/machines/project-state.ts';

/** All that a state says, to compare. */
export function saidBy({ streams, pins, ...state }: ProjectState): unknown {
  return JSON.parse(
    JSON.stringify({ ...state, streams: streams.values().map(toSnapshot), pins: pinsToSnapshot(pins) }),
  );
}

/** What a state says that is folded from nothing. */
export function foldedFrom(events: readonly StoredEvent[]): unknown {
  const state = createProjectState();
  for (const event of events) applyEvent(state, event);
  return saidBy(state);
}
