import { join } from 'node:path';
import { z } from 'zod';

/** What came of the tests with real agents, as it was recorded last. */
export const resultsSchema = z.strictObject({
  /** Of each package of the test bed. */
  versions: z.record(z.string(), z.string()),
  /** By the title of a test and the way (`claude acp`): whether it passed. What is missing was not tried. */
  tests: z.record(z.string(), z.record(z.string(), z.boolean())),
});

/** See {@link resultsSchema}. */
export type Results = z.infer<typeof resultsSchema>;

/** Where they are. */
export const resultsFile = join(import.meta.dirname, '../results.json');
