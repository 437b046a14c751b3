import { z } from 'zod';
import { doneSchema } from './decision.ts';
import { diagramSchema, machineSchema } from './diagram.ts';
import type { Endpoint } from './endpoint.ts';
import { questionParams } from './endpoint-parts.ts';
import { sprintIdSchema, taskSchema } from './fields.ts';
import { lookingBodySchema, lookingSchema } from './looking.ts';
import { pushBodySchema, pushEndBodySchema, pushKeySchema } from './push.ts';
import { questionEndpoints } from './question-endpoints.ts';
import { sprintEndpoints } from './sprint-endpoints.ts';
import { stateSchema } from './state.ts';

/** Everything that the server can be asked, but for the stream of `GET /api/events` and this description of itself. */
export const endpoints = {
  state: {
    method: 'get',
    path: '/api/state',
    summary: 'All sprints, and everything that waits for a human',
    needs: 'read',
    response: stateSchema,
  },
  ...questionEndpoints,
  ...sprintEndpoints,
  looking: {
    method: 'post',
    path: '/api/looking',
    summary: 'Says that a human uses the page: for ten seconds nobody is called',
    needs: 'decide',
    body: lookingBodySchema,
    response: lookingSchema,
    isAnew: true,
  },
  pushKey: {
    method: 'get',
    path: '/api/push/key',
    summary: 'The key by which a browser lets this Clifford call it (Web Push)',
    needs: 'read',
    response: pushKeySchema,
  },
  push: {
    method: 'post',
    path: '/api/push',
    summary: 'Has a browser called when something waits or ends; only through push services that are known',
    needs: 'read',
    body: pushBodySchema,
    response: doneSchema,
  },
  endPush: {
    method: 'post',
    path: '/api/push/end',
    summary: 'Has a browser called no longer',
    needs: 'read',
    body: pushEndBodySchema,
    response: doneSchema,
  },
  diagram: {
    method: 'get',
    path: '/api/diagrams/{machine}',
    summary: 'The states and transitions of a machine',
    needs: 'read',
    params: z.object({ machine: machineSchema }),
    response: diagramSchema,
  },
} as const satisfies Record<string, Endpoint>;

/** What the server can be asked. */
export type EndpointName = keyof typeof endpoints;

/** What it answers. */
export type Answered<N extends EndpointName> = z.output<(typeof endpoints)[N]['response']>;

/** What the stream of `GET /api/events` is asked for. */
export const liveQuerySchema = z.object({
  sprint: sprintIdSchema.optional(),
  /** Of that sprint. */
  task: taskSchema.optional(),
  question: questionParams.shape.id.optional(),
});
