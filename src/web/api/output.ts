import { z } from 'zod';
import { taskSchema, timeSchema, versionSchema } from './fields.ts';

/** One agent that was started on a task, and the end of what it wrote. */
export const runOutputSchema = z.object({
  runId: z.string(),
  attempt: z.int(),
  /** As people are told it. */
  agent: z.string(),
  /** Its words and its calls are known from each other; else all is what a program has printed. */
  speaks: z.boolean(),
  startedAt: timeSchema,
  /** Of the event with which it began. */
  version: versionSchema,
  /** As it was written, with escape sequences: who shows it takes them out, or draws the colours. */
  text: z.string(),
  /** What it wrote before is left out. */
  isCut: z.boolean(),
});

/** What the last agents of a task wrote, oldest first. */
export const outputSchema = z.object({ task: taskSchema, runs: z.array(runOutputSchema) });
/** See {@link outputSchema}. */
export type SentOutput = z.infer<typeof outputSchema>;

/** What an agent wrote since the last message, as it was written. */
export const outputPieceSchema = z.object({
  sprint: z.string(),
  task: taskSchema,
  runId: z.string(),
  text: z.string(),
});
/** See {@link outputPieceSchema}. */
export type OutputPiece = z.infer<typeof outputPieceSchema>;
