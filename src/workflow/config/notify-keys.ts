import { z } from 'zod';
import { notifyChannelSchema } from './notify-channel-keys.ts';
import { notifyRuleKeys } from './notify-rule-keys.ts';
import { QUIET_HOURS } from './quiet-hours-pattern.ts';

/** The ways that call at this terminal. */
const callingWays = ['bell', 'desktop'] as const;

/** How a human is called: a key for each way that ends at this terminal, those that reach anywhere, and when not. */
export const notifyKeys = {
  bell: z.boolean().default(true).describe('Whether the terminal rings its bell when a human is called'),
  desktop: z
    .literal(['auto', 'osc9', 'osc777', 'osc99', false])
    .default('auto')
    .describe(
      'Whether the terminal shows a notification of the desktop, and by which escape sequence; auto: as far as the terminal is known to have one',
    ),
  title: z.boolean().default(true).describe('Whether the title of the terminal shows how the sprint stands'),
  progress: z
    .boolean()
    .default(true)
    .describe('Whether the tab of the terminal shows the progress of the sprint, where it is known to'),
  quietHours: z
    .string()
    .regex(QUIET_HOURS)
    .meta({ examples: ['22:00-07:00'] })
    .optional()
    .describe(
      'When nobody is called, in the time zone of this machine: what still waits is told at their end',
    ),
  rules: z
    .partialRecord(z.enum(callingWays), z.strictObject(notifyRuleKeys))
    .default({})
    .describe('For what, and when, the bell or the desktop calls'),
  channels: z
    .record(z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/), notifyChannelSchema)
    .default({})
    .describe('Ways to humans who are elsewhere, by names of your own'),
};

/** What `notify` in the configuration may say. */
export const notifySchema = z.strictObject(notifyKeys).prefault({});

/** How a human is called, complete. */
export type NotifyConfig = z.infer<typeof notifySchema>;
