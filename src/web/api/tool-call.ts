import { z } from 'zod';
import { callStandings, type TaskCall } from '../../views/calls/task-calls.ts';
import { callWords } from '../../views/calls/call-word.ts';
import { anyJsonSchema, timeSchema, versionSchema } from './fields.ts';
import { sentChangeSchema, type SentChange } from './question.ts';
import { viewSchema } from './view-schema.ts';

/** What a list has of every call of a tool. Text of agents and servers in it is as they wrote it. */
const callLineFields = {
  /** Of the event that says that it was made: the call is read whole by it. */
  version: versionSchema,
  at: timeSchema,
  /** `waits` for the yes of a human, `asks` for their words, `unasked`: it ran though nobody was asked, `ended`: its agent did. */
  standing: z.enum(callStandings),
  server: z.string(),
  /** As its server names it; of an agent's own tool its kind: `execute`, `edit`, … */
  tool: z.string(),
  /** The agent whose own tool it is. */
  agent: z.string().optional(),
  /** What its agent calls it. */
  title: z.string().optional(),
};

/** A call of a tool in a line. */
export const callLineSchema = z.object({
  ...callLineFields,
  /** What it runs with, on one line: its beginning. */
  args: z.string(),
});
/** See {@link callLineSchema}. */
export type CallLine = z.infer<typeof callLineSchema>;

/** The calls that the agents of a task made. */
export const callsSchema = z.object({
  /** The newest, in the order they were made. */
  calls: z.array(callLineSchema),
  /** Says what is left out before them, on one line. */
  leftOut: z.string().optional(),
  /** What there is to say where there is none. */
  empty: z.string(),
});
/** See {@link callsSchema}. */
export type SentCalls = z.infer<typeof callsSchema>;

/** A call of a tool, whole: what looks secret in its arguments is masked. */
export type SentToolCall = Omit<TaskCall, 'callId' | 'task' | 'run' | 'request'> & {
  /** What it makes of files, as far as it says it. */
  readonly changes: readonly SentChange[];
};

/** See {@link SentToolCall}. */
export const toolCallSchema = viewSchema<SentToolCall>()(
  z.object({
    ...callLineFields,
    args: anyJsonSchema,
    /** What it ran with, where a human has changed it. */
    ranWith: anyJsonSchema.optional(),
    paths: z.array(z.string()),
    /** What became of it. */
    is: z.enum(callWords),
    /** The rule that allowed or denied it. */
    rule: z.string().optional(),
    /** The human who did. */
    by: z.string().optional(),
    returned: z
      .object({
        isError: z.boolean(),
        durationMs: z.number(),
        bytes: z.number(),
        lines: z.object({ added: z.number(), removed: z.number() }).optional(),
      })
      .optional(),
    /** Why it failed. */
    error: z.string().optional(),
    changes: z.array(sentChangeSchema),
  }),
);
