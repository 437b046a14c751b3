import { z } from 'zod';

/**
 * What the end of a command says about the work on a task, next to how it ended before the work began:
 * it succeeded before and after (`clean`), only before (`regressed`), only after (`fixed`), never
 * (`broken-before`).
 */
export const verdictSchema = z.enum(['clean', 'regressed', 'fixed', 'broken-before']);
/** One of {@link verdictSchema}. */
export type Verdict = z.infer<typeof verdictSchema>;
