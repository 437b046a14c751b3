import { z } from 'zod';
import { eventLineSchema } from './history.ts';
import { outputPieceSchema, outputSchema } from './output.ts';
import { patchSchema } from './patch.ts';
import { sentQuestionSchema } from './question.ts';
import { sentSprintSchema } from './sprint.ts';
import { stateSchema } from './state.ts';

/**
 * What the stream of `GET /api/events` says, by the name of the message: `event: state`, then one line of JSON as
 * `data`. `state`, `sprint` and `question` are sent whole once, and then what has changed of them, as `patch`. `events` and
 * `output` add to what was said before, each other message replaces it.
 */
export const liveMessages = {
  /** First of all. Once more where what has changed would be longer. */
  state: stateSchema,
  /** With `?sprint=`: that one, in the same way. */
  sprint: sentSprintSchema,
  /** With `?question=`: that one, in the same way. */
  question: sentQuestionSchema,
  /** What has changed of one of these since it was sent, whole or as such a patch. */
  patch: patchSchema,
  /** Events in the order of the log: of that sprint, or of all. They alone have an `id`, to go on from. */
  events: z.array(eventLineSchema),
  /** With `?sprint=&task=`: what its last agents wrote, at the beginning and when another one was started. */
  written: outputSchema,
  /** With `?sprint=&task=`: what they write behind that. */
  output: z.array(outputPieceSchema),
  /** Events are missing between what was seen last and what comes: read the history again. */
  gap: z.object({ sprint: z.string().optional() }),
  /** The server ends the stream. Come back at once, later, or not at all. */
  end: z.object({ why: z.enum(['closing', 'slow', 'token']) }),
};

/** What each message of the stream says, by its name. */
export type LiveMessage = { [N in keyof typeof liveMessages]: z.infer<(typeof liveMessages)[N]> };
/** The name of a message. */
export type LiveName = keyof LiveMessage;
