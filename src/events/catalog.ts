import type { z } from 'zod';
import { agentEvents } from './descriptors/agent-events.ts';
import { commitEvents } from './descriptors/commit-events.ts';
import type { Descriptor } from './descriptor.ts';
import { helpEvents } from './descriptors/help-events.ts';
import { jobEvents } from './descriptors/job-events.ts';
import { logEvents } from './descriptors/log-events.ts';
import { noteEvents } from './descriptors/note-events.ts';
import { notifyEvents } from './descriptors/notify-events.ts';
import { offerEvents } from './descriptors/offer-events.ts';
import { policyEvents } from './descriptors/policy-events.ts';
import { reportEvents } from './descriptors/report-events.ts';
import { runnerEvents } from './descriptors/runner-events.ts';
import { serverEvents } from './descriptors/server-events.ts';
import { signalEvents } from './descriptors/signal-events.ts';
import { sprintEvents } from './descriptors/sprint-events.ts';
import { taskEvents } from './descriptors/task-events.ts';
import { toolEvents } from './descriptors/tool-events.ts';
import { verifyEvents } from './descriptors/verify-events.ts';
import { worktreeEvents } from './descriptors/worktree-events.ts';

/**
 * The descriptor of every event, by type: all that the log, the machines' routes, the projections and the faces
 * go by. docs/events.md has a line for each.
 */
export const eventCatalog = {
  ...sprintEvents,
  ...runnerEvents,
  ...jobEvents,
  ...offerEvents,
  ...taskEvents,
  ...agentEvents,
  ...helpEvents,
  ...noteEvents,
  ...toolEvents,
  ...policyEvents,
  ...serverEvents,
  ...verifyEvents,
  ...commitEvents,
  ...worktreeEvents,
  ...reportEvents,
  ...signalEvents,
  ...notifyEvents,
  ...logEvents,
};

/** Dotted, lowercase, past tense: `task.started`. The same string is the machines' event type. */
export type EventType = keyof typeof eventCatalog;

/** What an event of type `T` says. */
export type EventData<T extends EventType = EventType> = z.infer<(typeof eventCatalog)[T]['data']>;

const known: ReadonlySet<string> = new Set(Object.keys(eventCatalog));

/** Narrows a string to a type this version of Clifford knows. */
export function isEventType(type: string): type is EventType {
  return known.has(type);
}

/** Every event type. */
export const eventTypes: readonly EventType[] = [...known].filter(isEventType);

/** What is to be said about a type that is only known when the program runs. */
export function descriptorOf(type: EventType): Descriptor {
  return eventCatalog[type];
}
