import { z } from 'zod';
import { sprintIdSchema, statusWordSchema, timeSchema, usageSchema } from './fields.ts';
import { questionHeadSchema } from './question.ts';
import { whoRunsSchema } from './sprint.ts';

/** A sprint in the list of all. */
export const sprintRowSchema = z.object({
  /** `adhoc`: what is asked outside of any. */
  id: sprintIdSchema,
  name: z.string(),
  state: statusWordSchema,
  detail: z.string().optional(),
  /** The one word that people read. */
  word: z.string(),
  runs: whoRunsSchema,
  hasRunner: z.boolean(),
  /** Tasks that are done, of how many. */
  done: z.int(),
  total: z.int(),
  failed: z.int(),
  /** Tasks that are skipped or cancelled. */
  setAside: z.int(),
  /** Those of them that are cancelled. */
  cancelled: z.int(),
  /** Tasks that wait for a human. */
  blocked: z.int(),
  /** Questions and calls of it that wait for a human. */
  waiting: z.int(),
  version: z.int().nonnegative(),
  lastEventAt: timeSchema.optional(),
  usage: usageSchema,
});
/** See {@link sprintRowSchema}. */
export type SentSprintRow = z.infer<typeof sprintRowSchema>;

/** Who is asking the server, and what they may. */
export const readerSchema = z.object({
  /** As the log names who answers here. */
  name: z.string(),
  may: z.enum(['decide', 'read']),
  /** Why not to decide, where the token would do: an agent has started the server, or the process that asks, or may have. */
  whyNot: z.string().optional(),
  /** Whether a yes that stands from now on is taken. */
  mayAlways: z.boolean(),
  /** Whether what is hidden of a call is shown on request. */
  mayReveal: z.boolean(),
  /** When the token ends; absent: with the server. */
  expiresAt: timeSchema.optional(),
});
/** See {@link readerSchema}. */
export type Reader = z.infer<typeof readerSchema>;

/** All sprints, and everything that waits for a human. */
export const stateSchema = z.object({
  /** The name of the project's folder, as the user's list of projects has it. */
  project: z.string(),
  /** Where all projects are listed, as an address from that of the page; absent: this one is served alone. */
  list: z.string().optional(),
  /** Of the program. */
  version: z.string(),
  /** The server's clock, when this was sent. */
  now: timeSchema,
  reader: readerSchema,
  /** Those that need somebody first, those that are over last. */
  sprints: z.array(sprintRowSchema),
  /** The greatest risk first, then what waits longest. */
  questions: z.array(questionHeadSchema),
  /** Agents that may not be started, and until when. */
  limits: z.array(z.object({ agent: z.string(), until: timeSchema })),
  /** What agents used today, UTC. */
  spentToday: usageSchema,
  /** Why the log cannot be read now, and of when all this is; absent: it is of now. */
  stale: z.object({ why: z.string(), since: timeSchema }).optional(),
  /** What is wrong and somebody should see: manifests that cannot be read, files that cannot be written. */
  problems: z.array(z.string()),
});
/** See {@link stateSchema}. */
export type SentState = z.infer<typeof stateSchema>;
