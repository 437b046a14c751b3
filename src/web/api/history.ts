import { z } from 'zod';
import { callWords } from '../../views/calls/call-word.ts';
import { otherWords } from '../../views/calls/decided-otherwise.ts';
import { markSchema, sprintIdSchema, taskSchema, timeSchema, versionSchema } from './fields.ts';
import { sentSprintSchema } from './sprint.ts';
import { questionHeadSchema } from './question.ts';

/** An event in a line. */
export const eventLineSchema = z.object({
  sprint: sprintIdSchema,
  version: versionSchema,
  time: timeSchema,
  /** `task.started`, … */
  type: z.string(),
  /** The same for people: `Task started`. */
  title: z.string(),
  task: taskSchema.optional(),
  /** How it stands out; absent: it does not. */
  mark: markSchema.optional(),
  /** What it says beyond its type, on one line. */
  text: z.string(),
  /** The call that it is about, and what it says of that. */
  call: z
    .object({
      id: z.string(),
      is: z.enum(callWords),
      /** How long it took. */
      durationMs: z.number().nonnegative().optional(),
      /** Of one that was denied: a human sent it back with a question, or allowed another one in its place. */
      otherWord: z.enum(otherWords).optional(),
    })
    .optional(),
});
/** See {@link eventLineSchema}. */
export type EventLine = z.infer<typeof eventLineSchema>;

/** Some events of a sprint, in order, and how many there are. */
export const eventsPageSchema = z.object({
  events: z.array(eventLineSchema),
  /** The version of its newest event. */
  length: z.int().nonnegative(),
  /** With `marks`: there are more of them before the first. */
  hasOlder: z.boolean().optional(),
});
/** See {@link eventsPageSchema}. */
export type EventsPage = z.infer<typeof eventsPageSchema>;

/** The whole history of a sprint, as a slider needs it. */
export const historySchema = z.object({
  sprint: sprintIdSchema,
  /** The version of its newest event. */
  length: versionSchema,
  firstAt: timeSchema,
  lastAt: timeSchema,
  /** Events that stand out, by version: of a long history the loudest of each stretch. */
  marks: z.array(z.tuple([versionSchema, markSchema])),
  /** When some events happened, by version, evenly along all of them: the first, the last, and eleven between them at most. */
  scale: z.array(z.tuple([versionSchema, timeSchema])),
  /**
   * When each event is played, in ms after the first, at normal speed, version 1 at place 0: where nothing happened for
   * long, no more than two seconds pass. Absent of a history of more than 20,000 events.
   */
  playedMs: z.array(z.number()).optional(),
});
/** See {@link historySchema}. */
export type History = z.infer<typeof historySchema>;

/** A sprint right after one of its events. */
export const momentSchema = z.object({
  event: eventLineSchema,
  /** As it was then. Nothing can be done to it. */
  sprint: sentSprintSchema,
  /** What waited for a human then. */
  questions: z.array(questionHeadSchema),
  /** What became otherwise with this event, a line each. */
  changes: z.array(z.string()),
  /** The next event that stands out, and the one before. */
  nextMark: versionSchema.optional(),
  previousMark: versionSchema.optional(),
});
/** See {@link momentSchema}. */
export type SentMoment = z.infer<typeof momentSchema>;
