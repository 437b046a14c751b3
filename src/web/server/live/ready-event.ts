import type { StoredEvent } from '../../../events/envelope.ts';
import type { ProjectState } from '../../../machines/project-state.ts';
import { askedIn } from '../../../views/sprints/task-about.ts';
import { presentEvent } from '../present/present-event.ts';

/** An event that was made ready once for all who get it. */
export type ReadyEvent = { readonly sprint: string; readonly version: number; readonly json: string };

/** Makes an event ready. */
export function readyEvent(event: StoredEvent, state: ProjectState): ReadyEvent {
  const line = presentEvent(event, askedIn(state, event));
  return { sprint: line.sprint, version: line.version, json: JSON.stringify(line) };
}

/** Where an event stands, as the id of a message: `sprint-1@412`. */
export function placeOf({ sprint, version }: Pick<ReadyEvent, 'sprint' | 'version'>): string {
  return `${sprint}@${version}`;
}

/** The place that an id names; `undefined`: it is none of ours. */
export function placeIn(
  id: string | undefined,
): { readonly sprint: string; readonly version: number } | undefined {
  const [, sprint, version] = /^([\w-]{1,128})@(\d{1,15})$/.exec(id ?? '') ?? [];
  return sprint === undefined ? undefined : { sprint, version: Number(version) };
}
