import type { StoredEvent } from '../../src/events/envelope.ts';
import { streamOf } from '../../src/events/envelope.ts';
import type { EventData, EventType } from '../../src/events/catalog.ts';
import { applyEvent } from '../../src/machines/fold.ts';
import { checkLegality } from '../../src/machines/legality.ts';
import type { Candidate, Legality } from '../../src/machines/legality.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import type { ProjectState, SprintState } from '../../src/machines/project-state.ts';
import { fact } from './facts.ts';

/** A candidate with sample data for what a test does not state. */
export function on<T extends EventType>(
  subject: string,
  type: T,
  data: Partial<EventData<T>> = {},
): Candidate {
  return { subject, ...fact(type, data) } as Candidate;
}

/** A state built event by event, each asked of the machines first. Time passes one second per event. */
export class History {
  readonly events: StoredEvent[] = [];
  readonly state: ProjectState = createProjectState();

  constructor(...candidates: Candidate[]) {
    for (const candidate of candidates) {
      const verdict = this.add(candidate);
      if (!verdict.legal)
        throw new Error(`${candidate.type} on ${candidate.subject} is refused by ${verdict.who}`);
    }
  }

  /** Applies a candidate if it is legal, and says whether it was. */
  add(candidate: Candidate): Legality {
    const verdict = checkLegality(this.state, candidate);
    if (verdict.legal) {
      const event = this.#store(candidate);
      this.events.push(event);
      applyEvent(this.state, event);
    }
    return verdict;
  }

  sprint(id = 'demo'): SprintState {
    const sprint = this.state.streams.get(id);
    if (!sprint) throw new Error(`no stream ${id}`);
    return sprint;
  }

  #store(candidate: Candidate): StoredEvent {
    const version = this.state.streams.get(streamOf(candidate.subject))?.version ?? 0;
    return {
      specversion: '1.0',
      id: `01900000-0000-7000-8000-${String(this.events.length).padStart(12, '0')}`,
      source: '/clifford/cli',
      time: new Date(1_800_000_000_000 + this.events.length * 1_000).toISOString(),
      streamversion: version + 1,
      prevhash: '',
      schemaversion: 1,
      ...candidate,
    };
  }
}
