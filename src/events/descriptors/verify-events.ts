import { z } from 'zod';
import { duration } from '../../lib/time/duration.ts';
import { observation } from '../descriptor.ts';
import { durationMsSchema, nameSchema, textSchema } from '../field-schemas.ts';
import { verdictText } from '../verdict-text.ts';
import { verdictSchema } from '../verdict.ts';

/** Facts about the commands that have to succeed before a task counts as completed. Subject: the task. */
export const verifyEvents = {
  /**
   * One command has ended. `code` is `null` when a signal, a time limit or a failed start ended it; `output` is
   * the end of what it printed, with a last line that says how it ended if there is no code. `baseline`: it ran
   * before the work on the task began; else after, with a `verdict` where there is a baseline to compare it with.
   */
  'verify.returned': observation({
    data: () =>
      z.strictObject({
        command: textSchema,
        code: z.int().nullable(),
        durationMs: durationMsSchema,
        output: textSchema,
        runId: nameSchema.optional(),
        baseline: z.literal(true).optional(),
        verdict: verdictSchema.optional(),
      }),
    title: 'Check ended',
    text: ({ command, code, durationMs, output, baseline, verdict }) => {
      const how = code === null ? output.split('\n').at(-1) : `ended with exit code ${code}`;
      const compared = verdict === undefined ? '' : `: ${verdictText[verdict]}`;
      return `${command} ${how} after ${duration(durationMs)}${baseline ? ', before the work' : compared}`;
    },
    mark: ({ code, baseline }) => (code === 0 || baseline ? undefined : 'failure'),
  }),
};
