import { z } from 'zod';
import { marks } from '../../events/descriptor.ts';
import { changesSchema } from './changes.ts';
import {
  actBodySchema,
  doneSchema,
  noteBodySchema,
  sprintActBodySchema,
  taskActBodySchema,
} from './decision.ts';
import { machinePathSchema } from './diagram.ts';
import type { Endpoint } from './endpoint.ts';
import { sprintParams, unknown } from './endpoint-parts.ts';
import { taskSchema, versionSchema } from './fields.ts';
import { eventsPageSchema, historySchema, momentSchema } from './history.ts';
import { outputSchema } from './output.ts';
import { sentSprintSchema, totalsSchema } from './sprint.ts';
import { taskTextSchema } from './task-text.ts';
import { callsSchema, toolCallSchema } from './tool-call.ts';

/** Numbers of a query are texts. */
const versionInQuery = z.coerce.number().pipe(versionSchema);

/** `question,answer`. */
const marksInQuery = z.string().regex(new RegExp(`^(?:${marks.join('|')})(?:,(?:${marks.join('|')}))*$`));

const acts = { ...unknown, 409: { about: 'It cannot be done in the state that it is in' } };
/** What is done to a sprint. */
const acting = { method: 'post', needs: 'decide', params: sprintParams, response: doneSchema } as const;

/** A sprint: what it is and was, and what is done to it. */
export const sprintEndpoints = {
  sprint: {
    method: 'get',
    path: '/api/sprints/{id}',
    summary: 'A sprint with its tasks',
    needs: 'read',
    params: sprintParams,
    response: sentSprintSchema,
    refusals: unknown,
  },
  summary: {
    method: 'get',
    path: '/api/sprints/{id}/summary',
    summary: 'What a sprint took as a whole, by now',
    needs: 'read',
    params: sprintParams,
    response: totalsSchema,
    refusals: unknown,
  },
  pause: {
    ...acting,
    path: '/api/sprints/{id}/pause',
    summary: 'Starts no further attempt; agents that work go on',
    body: sprintActBodySchema,
    refusals: acts,
  },
  resume: {
    ...acting,
    path: '/api/sprints/{id}/resume',
    summary: 'Lets attempts start again',
    body: sprintActBodySchema,
    refusals: acts,
  },
  stop: {
    ...acting,
    path: '/api/sprints/{id}/stop',
    summary: 'Ends the run that is at work on it; a later one goes on',
    body: sprintActBodySchema,
    refusals: acts,
  },
  retry: {
    ...acting,
    path: '/api/sprints/{id}/retry',
    summary: 'Makes a failed, skipped or cancelled task pending again; without one, all that failed',
    body: actBodySchema,
    refusals: acts,
  },
  skip: {
    ...acting,
    path: '/api/sprints/{id}/skip',
    summary: 'Takes a task out of the sprint, as done without doing it',
    body: taskActBodySchema,
    refusals: acts,
  },
  cancel: {
    ...acting,
    path: '/api/sprints/{id}/cancel',
    summary: 'Ends a task for good; without one, the sprint',
    body: actBodySchema,
    refusals: acts,
  },
  note: {
    ...acting,
    path: '/api/sprints/{id}/note',
    summary: 'Tells the agent of a task something, as soon as it can be told',
    body: noteBodySchema,
    refusals: acts,
  },
  output: {
    method: 'get',
    path: '/api/sprints/{id}/output',
    summary: 'What the last agents of a task wrote, by now or until an event',
    needs: 'read',
    params: sprintParams,
    query: z.object({ task: taskSchema, until: versionInQuery.optional() }),
    response: outputSchema,
    refusals: unknown,
  },
  task: {
    method: 'get',
    path: '/api/sprints/{id}/task',
    summary: 'What a task says, as its file has it now',
    needs: 'read',
    params: sprintParams,
    query: z.object({ task: taskSchema }),
    response: taskTextSchema,
    refusals: unknown,
  },
  events: {
    method: 'get',
    path: '/api/sprints/{id}/events',
    summary:
      'Events of a sprint in lines: the newest, or those from a version to another; with `marks` those alone that stand out so',
    needs: 'read',
    params: sprintParams,
    query: z.object({
      from: versionInQuery.optional(),
      to: versionInQuery.optional(),
      marks: marksInQuery.optional(),
      /** With `marks`: this version is within, half of them after it at most. */
      around: versionInQuery.optional(),
    }),
    response: eventsPageSchema,
    refusals: unknown,
  },
  history: {
    method: 'get',
    path: '/api/sprints/{id}/history',
    summary: 'The whole history of a sprint, for a slider',
    needs: 'read',
    params: sprintParams,
    response: historySchema,
    refusals: unknown,
  },
  moment: {
    method: 'get',
    path: '/api/sprints/{id}/history/{version}',
    summary: 'A sprint as it was right after one of its events',
    needs: 'read',
    params: sprintParams.extend({ version: versionInQuery }),
    response: momentSchema,
    refusals: unknown,
  },
  changes: {
    method: 'get',
    path: '/api/sprints/{id}/changes',
    summary: 'The files that a task changed, by now or, where it was committed by then, until an event',
    needs: 'read',
    params: sprintParams,
    query: z.object({ task: taskSchema, until: versionInQuery.optional() }),
    response: changesSchema,
    refusals: { ...unknown, 409: { about: 'It cannot be told what it changed, as it says' } },
  },
  calls: {
    method: 'get',
    path: '/api/sprints/{id}/calls',
    summary: 'The calls of tools that the agents of a task made, by now or until an event: the newest 500',
    needs: 'read',
    params: sprintParams,
    query: z.object({ task: taskSchema, until: versionInQuery.optional() }),
    response: callsSchema,
    refusals: unknown,
  },
  call: {
    method: 'get',
    path: '/api/sprints/{id}/calls/{version}',
    summary: 'One of them, whole, as it stood by now or at an event',
    needs: 'read',
    params: sprintParams.extend({ version: versionInQuery }),
    query: z.object({ task: taskSchema, until: versionInQuery.optional() }),
    response: toolCallSchema,
    refusals: unknown,
  },
  path: {
    method: 'get',
    path: '/api/sprints/{id}/path',
    summary:
      'The way of a task, or of the sprint itself, through the states of its machine, by now or until an event',
    needs: 'read',
    params: sprintParams,
    query: z.object({ task: taskSchema.optional(), until: versionInQuery.optional() }),
    response: machinePathSchema,
    refusals: unknown,
  },
} as const satisfies Record<string, Endpoint>;
