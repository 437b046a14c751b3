import { callsPane } from './calls-pane.ts';
import { changesPane } from './changes-pane.ts';
import { eventsPane, sprintEventsPane } from './events-pane.ts';
import { outputPane } from './output-pane.ts';
import type { Pane } from './pane.ts';
import { statesPane } from './states-pane.ts';
import { taskPane } from './task-pane.ts';

/** The panes beside the list of tasks, in the order of their tabs. */
export const allPanes: readonly [Pane, ...Pane[]] = [
  outputPane,
  taskPane,
  changesPane,
  eventsPane,
  callsPane,
  statesPane,
];

/** The pane of this id; the first, where there is none. */
export function paneOf(id: string): Pane {
  return [...allPanes, sprintEventsPane].find((pane) => pane.id === id) ?? allPanes[0];
}
