import { z } from 'zod';
import { QUIET_HOURS } from './quiet-hours-pattern.ts';

/** What a human may be called for. */
export const notifyReasons = ['question', 'approval', 'failure', 'end', 'budget'] as const;
/** One of {@link notifyReasons}. */
export type NotifyReason = (typeof notifyReasons)[number];

/** A year, in seconds. */
const MAX_SECONDS = 31_536_000;

const seconds = z.int().min(0).max(MAX_SECONDS);

/** For what, and when, a way to a human calls: the same of every one. */
export const notifyRuleKeys = {
  what: z.array(z.enum(notifyReasons)).optional().describe('What it calls for; default: all of it'),
  after: seconds
    .optional()
    .describe(
      'How long a question or a call has to wait unanswered before it calls, in seconds; default: 10, and at this machine 0',
    ),
  remind: seconds
    .optional()
    .describe(
      'After how long it calls again for what still waits, in seconds, each time after twice as long; 0, the default: never',
    ),
  quietHours: z
    .string()
    .regex(QUIET_HOURS)
    .meta({ examples: ['22:00-07:00'] })
    .optional()
    .describe('When it calls nobody, in place of the other `quietHours`'),
};

/** What the configuration says of when a way to a human calls. */
export type NotifyRules = Readonly<z.infer<z.ZodObject<typeof notifyRuleKeys>>>;
