import { z } from 'zod';

/** Longest timer Node can wait for, in ms: a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const commandSchema = z.string().trim().min(1).max(8_192);

/** What may be said for a single task, too: in a manifest, and with flags. */
export const taskKeys = {
  agent: z.string().min(1).describe('Name of the agent that works on tasks, one of `agents`'),
  agentCmd: commandSchema.describe(
    'Command line that starts an agent; {prompt} in it is replaced, else the prompt goes to stdin',
  ),
  model: z.string().min(1).describe('Model for the agent: {model} in its command line is replaced'),
  maxAttempts: z.int().min(1).max(1_000).describe('Attempts that may fail before a task has failed'),
  verify: z.array(commandSchema).describe('Commands that have to succeed before a task counts as completed'),
};

/** What `clifford.json` may say. Every key may be missing; unknown keys are named, not refused. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema of this file'),
  agent: taskKeys.agent.optional(),
  agents: z
    .record(
      z.string().min(1),
      z.strictObject({
        command: commandSchema.describe('Command line that starts it, as in agentCmd'),
      }),
    )
    .default({})
    .describe('Agents by name'),
  agentCmd: taskKeys.agentCmd.optional(),
  model: taskKeys.model.optional(),
  maxAttempts: taskKeys.maxAttempts.default(1),
  verify: taskKeys.verify.default([]),
  clarification: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether agents may ask with ask_clarification'),
      questionsDir: z
        .string()
        .min(1)
        .default('.agent-questions')
        .describe('Folder of question files, relative to the project'),
      defaultTimeout: z
        .int()
        .min(0)
        .max(MAX_TIMER_MS)
        .default(300_000)
        .describe('How long a call of ask_clarification waits, in ms; 0: without limit'),
    })
    .prefault({}),
  changelog: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether update_changelog writes the file'),
      file: z.string().min(1).default('CHANGELOG.md').describe('The file, relative to the project'),
    })
    .prefault({}),
});

/** A project's configuration, complete. */
export type Config = z.infer<typeof configSchema>;
