import { z } from 'zod';
import {
  answerBodySchema,
  approveAllBodySchema,
  approveBodySchema,
  decidedAllSchema,
  decidedSchema,
  denyAllBodySchema,
  denyBodySchema,
  dismissBodySchema,
  explainBodySchema,
  lostRaceSchema,
  rejectBodySchema,
  rephraseBodySchema,
  revealBodySchema,
} from './decision.ts';
import type { Endpoint } from './endpoint.ts';
import { questionParams, unknown } from './endpoint-parts.ts';
import { revealedSchema, sentQuestionSchema } from './question.ts';

const closes = {
  ...unknown,
  409: { about: 'Somebody was first, as it says', body: lostRaceSchema },
};
/** A yes is one to what was seen. */
const allows = {
  ...closes,
  412: { about: 'What the call would make of files is not what was seen any more' },
  428: { about: 'It does not say what was seen of the files that the call names' },
};

/** Answers to a question, by the last part of the path. */
const answering = {
  method: 'post',
  needs: 'decide',
  params: questionParams,
  response: decidedSchema,
} as const;
/** Words to several calls of one sprint: there are all or none. */
const decidingAll = {
  method: 'post',
  needs: 'decide',
  response: decidedAllSchema,
  refusals: closes,
} as const;

/** What waits for a human, and what is said to it. */
export const questionEndpoints = {
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
    params: questionParams,
    response: sentQuestionSchema,
    refusals: unknown,
  },
  answer: {
    ...answering,
    path: '/api/questions/{id}/answer',
    summary: 'Answers a question',
    body: answerBodySchema,
    refusals: allows,
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
    params: questionParams,
    body: revealBodySchema,
    response: revealedSchema,
    isAnew: true,
    refusals: unknown,
  },
} as const satisfies Record<string, Endpoint>;
