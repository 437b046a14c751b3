import { z } from 'zod';
import { taskSchema } from './fields.ts';

/** What a task says: the file that its agents are told of. */
export const taskTextSchema = z.object({
  task: taskSchema,
  /** From the folder of its sprint. */
  file: z.string(),
  /** As markdown, with what looks secret replaced; of a long one the beginning, which says so. Absent: the file is not there. */
  text: z.string().optional(),
});
/** See {@link taskTextSchema}. */
export type TaskText = z.infer<typeof taskTextSchema>;
