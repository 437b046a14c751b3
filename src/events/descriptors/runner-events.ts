import { z } from 'zod';
import { observation } from '../descriptor.ts';
import { nameSchema, textSchema } from '../field-schemas.ts';

/**
 * Facts about the runner of a sprint. Subject: the stream. That it came is said by `sprint.started`; `run` is what that has, since runners on
 * two machines may be called alike.
 */
export const runnerEvents = {
  /** It ended the agents it had, and left a sprint that is not over. One that crashes cannot say so. */
  'runner.left': observation({
    data: () => z.strictObject({ runner: nameSchema, run: nameSchema.optional(), reason: textSchema }),
    text: ({ runner, reason }) => `${runner}: ${reason}`,
    mark: 'sprint',
  }),
  /** A human tells the runner to end its agents and leave. Another one that has come meanwhile is not meant. */
  'runner.recalled': observation({
    data: () => z.strictObject({ runner: nameSchema, run: nameSchema.optional(), by: nameSchema }),
    title: 'Runner told to leave',
    text: ({ runner, by }) => `${runner}, by ${by}`,
    mark: 'sprint',
  }),
};
