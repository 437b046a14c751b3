import { z } from 'zod';
import { approvalScopeSchema } from '../../events/approval.ts';
import { formAnswerSchema } from '../../events/form/form.ts';
import { anyJsonSchema, saidSchema, taskSchema } from './fields.ts';
import { closingSchema, sentQuestionSchema } from './question.ts';

/** What was shown of what a call would make of files, as its question has it. */
const seenSchema = z.string().max(100);

/** An answer to a question, or to each of those that are asked together. */
export const answerBodySchema = z
  .strictObject({
    /** With a yes to a call: as it goes with one to `/approve`. */
    seen: seenSchema.optional(),
    /** Of several options each on a line, own words last. To a call that waits: yes or no. Empty only where the question `takesEmpty`. */
    response: saidSchema.optional(),
    option: z
      .int()
      .nonnegative()
      .describe(
        'Which option `response` is, the first one being 0. Left out: the words of an option choose it',
      )
      .optional(),
    /** In place of both: to several questions, or of several options. What is left out has no answer. */
    answers: z.array(formAnswerSchema).optional(),
  })
  .refine(({ response, answers }) => (response === undefined) !== (answers === undefined), {
    error: 'has to have either response or answers',
  });

/** The question is to be put in other words. */
export const rephraseBodySchema = z.strictObject({
  /** What is not clear, for the agent. */
  reason: saidSchema.optional(),
});

/** The question itself is turned down. */
export const rejectBodySchema = z.strictObject({
  /** For the agent. */
  reason: saidSchema.min(1),
});

/** The question ends without an answer. */
export const dismissBodySchema = z.strictObject({ reason: saidSchema.optional() });

/** A yes to a call. */
export const approveBodySchema = z.strictObject({
  /** `seen` of its question, where that has one: without it the yes is refused, and where the call would make something else of files by now. */
  seen: seenSchema.optional(),
  /** For how much it stands. Default: for this call alone. */
  scope: approvalScopeSchema.optional(),
  /** The call that is allowed in its place, once: the same with another command, or with these arguments. */
  edit: z
    .union([
      z.strictObject({ command: saidSchema.min(1) }),
      z.strictObject({ args: z.record(z.string(), anyJsonSchema) }),
    ])
    .optional(),
});

/** A no to a call. */
export const denyBodySchema = z.strictObject({
  /** For the agent. */
  reason: saidSchema.optional(),
});

/** The calls of one sprint that are decided on together. */
const someCalls = z.array(z.string().min(1).max(512)).min(1).max(1_000);

/** A yes to each of some calls, for that call alone. */
export const approveAllBodySchema = z.strictObject({
  ids: someCalls,
  /** `seen` of their questions, by their ids: as with one. */
  seen: z.record(z.string().max(512), seenSchema).optional(),
});

/** A no to each of some calls. */
export const denyAllBodySchema = z.strictObject({
  ids: someCalls,
  /** For their agents. */
  reason: saidSchema.optional(),
});

/** The call is sent back with a question, by default why its agent wants it. */
export const explainBodySchema = z.strictObject({ question: saidSchema.optional() });

/** Shows what is hidden of a call. */
export const revealBodySchema = z.strictObject({});

/** What became of a question, for whoever was first. */
export const decidedSchema = z.object({
  /** In a sentence: `Answered, the agent is told`. */
  text: z.string(),
  question: sentQuestionSchema,
});
/** See {@link decidedSchema}. */
export type Decided = z.infer<typeof decidedSchema>;

/** What became of calls that were decided on together. */
export const decidedAllSchema = z.object({
  /** In a sentence: `Allowed 3 calls, each once`. */
  text: z.string(),
  /** The ids of those that it was recorded for. */
  decided: z.array(z.string()),
  /** Those that somebody had decided on before, as it says. */
  lost: z.array(z.object({ id: z.string(), closing: closingSchema })),
});
/** See {@link decidedAllSchema}. */
export type DecidedAll = z.infer<typeof decidedAllSchema>;

/** Somebody was first: nothing was recorded. */
export const lostRaceSchema = z.object({
  error: z.object({ code: z.literal('QUESTION_CLOSED'), message: z.string(), fix: z.string() }),
  closing: closingSchema,
});
/** See {@link lostRaceSchema}. */
export type LostRace = z.infer<typeof lostRaceSchema>;

/** An act on a sprint, or on one of its tasks where `task` names it. */
export const actBodySchema = z.strictObject({ task: taskSchema.optional(), reason: saidSchema.optional() });

/** An act on a sprint alone. */
export const sprintActBodySchema = z.strictObject({});

/** An act on a task alone. */
export const taskActBodySchema = z.strictObject({ task: taskSchema, reason: saidSchema.optional() });

/** What a human tells the agent of a task. */
export const noteBodySchema = z.strictObject({ task: taskSchema, text: saidSchema.min(1) });

/** What was done. */
export const doneSchema = z.object({
  /** In a sentence: `Paused: agents that work go on, no further attempt starts`. */
  text: z.string(),
});
/** See {@link doneSchema}. */
export type Done = z.infer<typeof doneSchema>;
