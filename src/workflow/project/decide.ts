import { descriptorOf } from '../../events/catalog.ts';
import { newEvent, type NewEvent, type Source, type StoredEvent } from '../../events/envelope.ts';
import { applyEvent } from '../../machines/fold.ts';
import { checkLegality, type Candidate } from '../../machines/legality.ts';
import { fromSnapshot, toSnapshot } from '../../machines/project-snapshot.ts';
import { createProjectState, type ProjectState } from '../../machines/project-state.ts';
import { IllegalDecision } from './illegal-decision.ts';
import type { WayReader } from './ways-to-decide.ts';

/**
 * Turns candidates into events if the machines allow each of them after the ones before it.
 *
 * @param whoRuns - Who runs the sprint, or will: what could be done instead depends on it.
 * @throws {IllegalDecision} for the first that is refused.
 */
export function decide(
  state: ProjectState,
  source: Source,
  stream: string,
  candidates: readonly Candidate[],
  whoRuns: () => Omit<WayReader, 'isAgent'>,
): NewEvent[] {
  const events = candidates.map((candidate) => newEvent(source, candidate));
  // What reaches no machine changes no verdict.
  const isTried = candidates.slice(0, -1).some(({ type }) => descriptorOf(type).reaches !== undefined);
  const trial = isTried ? copyOf(state, stream) : state;
  for (const [index, candidate] of candidates.entries()) {
    const verdict = checkLegality(trial, candidate);
    if (!verdict.legal) {
      const reader = { isAgent: source === '/clifford/mcp', ...whoRuns() };
      throw new IllegalDecision(candidate, verdict, reader);
    }
    const event = events[index];
    if (event && trial !== state) applyEvent(trial, asStored(event));
  }
  return events;
}

/** One stream of a state, sharing nothing with it. */
function copyOf(state: ProjectState, stream: string): ProjectState {
  const copy = createProjectState();
  const sprint = state.streams.get(stream);
  if (sprint) copy.streams.set(stream, fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(sprint)))));
  return copy;
}

/** An event as the fold takes it. Its place in the log is not known yet and plays no part. */
function asStored(event: NewEvent): StoredEvent {
  return { ...event, specversion: '1.0', streamversion: 1, prevhash: '', schemaversion: 1 };
}
