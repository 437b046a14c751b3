import { z } from 'zod';
import type { Cli } from '../cli.ts';

/** What was decided, as `--json` prints it on one line: what was done, and to what. */
export const decidedSchema = z.strictObject({
  done: z.enum([
    'paused',
    'resumed',
    'stopping',
    'retried',
    'skipped',
    'cancelled',
    'noted',
    'answered',
    'rejected',
    'rephrasing',
    'dismissed',
    'approved',
    'denied',
    'explaining',
    'ran',
    'queued',
    'moved',
    'unqueued',
  ]),
  /** Id of the sprint, or `adhoc`. */
  sprint: z.string(),
  /** Ids of the tasks it was about; none: about the whole sprint, or a question outside of any task. */
  tasks: z.array(z.string()),
  /** Ids of the questions, or of the calls, that were decided. */
  requests: z.array(z.string()).optional(),
  /** Id of the note. */
  note: z.string().optional(),
  /** Whether an agent waits for it, or starts again for it. */
  isAwaited: z.boolean().optional(),
  /** How a run ended, and why. */
  outcome: z.string().optional(),
  reason: z.string().optional(),
});
export type Decided = z.infer<typeof decidedSchema>;

/** Says what was decided: in words, or on one line for programs. */
export function tellDecided(
  cli: Pick<Cli, 'print'>,
  json: boolean | undefined,
  decided: Decided,
  inWords: () => void,
): void {
  if (json) cli.print(JSON.stringify(decided));
  else inWords();
}
