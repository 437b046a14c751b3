import { z } from 'zod';
import { changesSchema } from './changes.ts';
import {
  actBodySchema,
  answerBodySchema,
  approveAllBodySchema,
  approveBodySchema,
  decidedAllSchema,
  decidedSchema,
  denyAllBodySchema,
  denyBodySchema,
  dismissBodySchema,
  doneSchema,
  explainBodySchema,
  lostRaceSchema,
  noteBodySchema,
  rejectBodySchema,
  rephraseBodySchema,
  revealBodySchema,
  sprintActBodySchema,
  taskActBodySchema,
} from './decision.ts';
import { marks } from '../../events/descriptor.ts';
import { diagramSchema, machinePathSchema, machineSchema } from './diagram.ts';
import type { Endpoint } from './endpoint.ts';
import { sprintIdSchema, taskSchema, versionSchema } from './fields.ts';
import { eventsPageSchema, historySchema, momentSchema } from './history.ts';
import { lookingBodySchema, lookingSchema } from './looking.ts';
import { outputSchema } from './output.ts';
import { pushBodySchema, pushEndBodySchema, pushKeySchema } from './push.ts';
import { revealedSchema, sentQuestionSchema } from './question.ts';
import { sentSprintSchema } from './sprint.ts';
import { stateSchema } from './state.ts';

const question = z.object({ id: z.string().min(1).max(512) });
const sprint = z.object({ id: sprintIdSchema });
/** Numbers of a query are texts. */
const versionInQuery = z.coerce.number().pipe(versionSchema);

/** `question,answer`. */
const marksInQuery = z.string().regex(new RegExp(`^(?:${marks.join('|')})(?:,(?:${marks.join('|')}))*$`));

const unknown = { 404: { about: 'There is none' } };
const closes = {
  ...unknown,
  409: { about: 'Somebody was first, as it says', body: lostRaceSchema },
};
/** A yes is one to what was seen. */
const allows = {
  ...closes,
  412: { about: 'What the call would make of files is not what was seen any more' },
};
const acts = { ...unknown, 409: { about: 'It cannot be done in the state that it is in' } };

/** Answers to a question, by the last part of the path. */
const answering = { method: 'post', needs: 'decide', params: question, response: decidedSchema } as const;
/** Words to several calls of one sprint: there are all or none. */
const decidingAll = {
  method: 'post',
  needs: 'decide',
  response: decidedAllSchema,
  refusals: closes,
} as const;
/** What is done to a sprint. */
const acting = { method: 'post', needs: 'decide', params: sprint, response: doneSchema } as const;

/** Everything that the server can be asked, but for the stream of `GET /api/events` and this description of itself. */
export const endpoints = {
  state: {
    method: 'get',
    path: '/api/state',
    summary: 'All sprints, and everything that waits for a human',
    needs: 'read',
    response: stateSchema,
  },
  sprint: {
    method: 'get',
    path: '/api/sprints/{id}',
    summary: 'A sprint with its tasks',
    needs: 'read',
    params: sprint,
    response: sentSprintSchema,
    refusals: unknown,
  },
  questions: {
    method: 'get',
    path: '/api/questions',
    summary:
      'Every question and call that waits for a human: the greatest risk first, then what waits longest',
    needs: 'read',
    response: z.object({ questions: z.array(sentQuestionSchema) }),
  },
  question: {
    method: 'get',
    path: '/api/questions/{id}',
    summary: 'A question, open or closed, by its id or a beginning of that which no other has',
    needs: 'read',
    params: question,
    response: sentQuestionSchema,
    refusals: unknown,
  },
  answer: {
    ...answering,
    path: '/api/questions/{id}/answer',
    summary: 'Answers a question',
    body: answerBodySchema,
    refusals: closes,
  },
  reject: {
    ...answering,
    path: '/api/questions/{id}/reject',
    summary: 'Turns a question down, with a reason for the agent; a call is denied',
    body: rejectBodySchema,
    refusals: closes,
  },
  rephrase: {
    ...answering,
    path: '/api/questions/{id}/rephrase',
    summary: 'Has a question put in other words; it is asked anew',
    body: rephraseBodySchema,
    refusals: closes,
  },
  dismiss: {
    ...answering,
    path: '/api/questions/{id}/dismiss',
    summary: 'Ends a question without an answer; a call is refused',
    body: dismissBodySchema,
    refusals: closes,
  },
  approve: {
    ...answering,
    path: '/api/questions/{id}/approve',
    summary: 'Allows a tool call that waits, as it is or as it is changed',
    body: approveBodySchema,
    refusals: allows,
  },
  deny: {
    ...answering,
    path: '/api/questions/{id}/deny',
    summary: 'Refuses a tool call that waits',
    body: denyBodySchema,
    refusals: closes,
  },
  approveAll: {
    ...decidingAll,
    path: '/api/questions/approve',
    summary: 'Allows several calls of a sprint, each once; what somebody was first with is left out',
    body: approveAllBodySchema,
    refusals: allows,
  },
  denyAll: {
    ...decidingAll,
    path: '/api/questions/deny',
    summary: 'Refuses several calls of a sprint; what somebody was first with is left out',
    body: denyAllBodySchema,
  },
  explain: {
    ...answering,
    path: '/api/questions/{id}/explain',
    summary: 'Sends a tool call back with a question; it is decided on when it is made again',
    body: explainBodySchema,
    refusals: closes,
  },
  reveal: {
    method: 'post',
    path: '/api/questions/{id}/reveal',
    summary: 'What is hidden of a call that waits: on this machine, or with TLS',
    needs: 'decide',
    params: question,
    body: revealBodySchema,
    response: revealedSchema,
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
  looking: {
    method: 'post',
    path: '/api/looking',
    summary: 'Says that a human uses the page: for ten seconds nobody is called',
    needs: 'decide',
    body: lookingBodySchema,
    response: lookingSchema,
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
  output: {
    method: 'get',
    path: '/api/sprints/{id}/output',
    summary: 'What the last agents of a task wrote, by now or until an event',
    needs: 'read',
    params: sprint,
    query: z.object({ task: taskSchema, until: versionInQuery.optional() }),
    response: outputSchema,
    refusals: unknown,
  },
  events: {
    method: 'get',
    path: '/api/sprints/{id}/events',
    summary:
      'Events of a sprint in lines: the newest, or those from a version to another; with `marks` those alone that stand out so',
    needs: 'read',
    params: sprint,
    query: z.object({
      from: versionInQuery.optional(),
      to: versionInQuery.optional(),
      marks: marksInQuery.optional(),
    }),
    response: eventsPageSchema,
    refusals: unknown,
  },
  history: {
    method: 'get',
    path: '/api/sprints/{id}/history',
    summary: 'The whole history of a sprint, for a slider',
    needs: 'read',
    params: sprint,
    response: historySchema,
    refusals: unknown,
  },
  moment: {
    method: 'get',
    path: '/api/sprints/{id}/history/{version}',
    summary: 'A sprint as it was right after one of its events',
    needs: 'read',
    params: sprint.extend({ version: versionInQuery }),
    response: momentSchema,
    refusals: unknown,
  },
  changes: {
    method: 'get',
    path: '/api/sprints/{id}/changes',
    summary: 'The files that a task changed, by now or, where it was committed by then, until an event',
    needs: 'read',
    params: sprint,
    query: z.object({ task: taskSchema, until: versionInQuery.optional() }),
    response: changesSchema,
    refusals: { ...unknown, 409: { about: 'It cannot be told what it changed, as it says' } },
  },
  path: {
    method: 'get',
    path: '/api/sprints/{id}/path',
    summary: 'The way of a task through the states of its machine, by now or until an event',
    needs: 'read',
    params: sprint,
    query: z.object({ task: taskSchema, until: versionInQuery.optional() }),
    response: machinePathSchema,
    refusals: unknown,
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
  question: question.shape.id.optional(),
});
