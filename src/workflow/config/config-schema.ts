import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../lib/time/longest-timer.ts';
import { adapterNames, elicitingClients } from './adapter-names.ts';
import { logSchema } from './log-keys.ts';
import { notifySchema } from './notify-keys.ts';
import { queueSchema, repositorySchema } from './queue-keys.ts';
import { screenSchema } from './screen-keys.ts';
import { parallelSchema, worktreesSchema } from './worktree-keys.ts';
import { ownTool } from '../project/own-tools.ts';

const commandSchema = z.string().trim().min(1).max(8_192);

/** It becomes an argument of an agent's command line, and may be no flag there. */
const modelSchema = z
  .string()
  .min(1)
  .regex(/^[^-\s]/);

/** A year. */
const MAX_PARK_MINUTES = 525_600;

/** A limit in ms; 0: none. */
const limitMsSchema = z.int().min(0).max(LONGEST_TIMER_MS);

/** In minutes; 0: never. */
const parkAfterSchema = z.number().min(0).max(MAX_PARK_MINUTES);

/** What may be used up before a run ends. */
const budgetSchema = z
  .strictObject({
    tokens: z.int().min(1).optional().describe('Tokens, in and out, without those read from a cache'),
    usd: z.number().min(0).optional().describe('US dollars, as far as the agent reports them'),
  })
  .prefault({});

const doneSchema = z.enum(['reported', 'exit-0']);

/** What may be said for a single task, too: in a manifest, and with flags. */
export const taskKeys = {
  agent: z.string().min(1).describe('Name of the agent that works on tasks, one of `agents`'),
  agentCmd: commandSchema.describe(
    'Command line that starts an agent; {prompt} in it is replaced, else the prompt goes to stdin',
  ),
  model: modelSchema.describe('Model for the agent: {model} in its command line is replaced'),
  maxAttempts: z.int().min(1).max(1_000).describe('Attempts that may fail before the task fails'),
  verify: z.array(commandSchema).describe('Commands that have to succeed before a task counts as completed'),
  fallback: z
    .string()
    .min(1)
    .describe('Name of the agent that goes on while the usage limit of the other one is reached'),
  commit: z.boolean().describe('Whether the changes of a completed task become a git commit'),
  done: doneSchema.describe(
    'What says that a task is done: its agent, or (with verify) that its agent exits with code 0',
  ),
};

/** An agent by name: a known one, with what is different about it, or a command line. */
const agentSchema = z.strictObject({
  adapter: z.enum(adapterNames).optional().describe('Which agent CLI it is; default: its name, if it is one'),
  command: commandSchema
    .optional()
    .describe('Command line that starts it, as in agentCmd, instead of an adapter'),
  resume: commandSchema
    .optional()
    .describe('Command line that goes on with a session: {session} in it is replaced. Only with command'),
  output: z
    .enum(['text', ...adapterNames])
    .optional()
    .describe('What a command prints: plain text, or the structured output of a known agent CLI'),
  stdin: z
    .enum(['closed', 'open'])
    .optional()
    .describe(
      'Whether the stdin of a command with {prompt} stays open, so that answers to its prompts can be typed',
    ),
  via: z
    .enum(['acp', 'cli'])
    .optional()
    .describe(
      'How it is spoken with: over the Agent Client Protocol, where it asks Clifford before it acts, or by its command line, where nobody asks; default: acp, for versions that were tested with it',
    ),
  path: z.string().min(1).optional().describe('The executable of the adapter, where it is not on the PATH'),
  args: z.array(z.string()).optional().describe('Further arguments for the adapter'),
  env: z.record(z.string().min(1), z.string()).optional().describe('Further environment variables'),
  model: modelSchema.optional().describe('Its model, where no other is asked for'),
  done: doneSchema
    .optional()
    .describe('What says that a task is done, where this agent works on it: it wins over every other `done`'),
  parkAfter: parkAfterSchema
    .optional()
    .describe(
      'As the other `parkAfter`, for this agent, in minutes: it wins, also where the agent begins a new session then',
    ),
});

/** What `clifford.json` may say. Every key may be missing; unknown keys are named, not refused. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema of this file'),
  agent: taskKeys.agent.optional(),
  agents: z.record(z.string().min(1), agentSchema).default({}).describe('Agents by name'),
  agentCmd: taskKeys.agentCmd.optional(),
  model: taskKeys.model.optional(),
  maxAttempts: taskKeys.maxAttempts.default(1),
  verify: taskKeys.verify.default([]),
  fallback: taskKeys.fallback.optional(),
  commit: taskKeys.commit.default(false),
  done: taskKeys.done.default('reported'),
  parallel: parallelSchema.default(1),
  worktrees: worktreesSchema,
  parkAfter: parkAfterSchema
    .default(30)
    .describe(
      'How long an agent waits for a human before its process is ended until the answer is there, in minutes; 0: as long as it takes. For agents that are known to go on with their session',
    ),
  limits: z
    .strictObject({
      connect: limitMsSchema
        .default(60_000)
        .describe('How long an agent may take to connect to Clifford, in ms; 0: without limit'),
      idle: limitMsSchema
        .default(600_000)
        .describe('How long an agent may be unresponsive, in ms; 0: without limit'),
      tool: limitMsSchema
        .default(3_600_000)
        .describe('The same while a tool call of it is open, in ms; 0: without limit'),
      exit: limitMsSchema
        .default(10_000)
        .describe(
          'How long an agent may take to exit when its task is done or its turn is over, in ms; 0: without limit',
        ),
      attempt: limitMsSchema
        .default(14_400_000)
        .describe(
          'How long an attempt may take, without the time it waits for a human, in ms; 0: without limit',
        ),
    })
    .prefault({}),
  budget: z.strictObject({ task: budgetSchema, sprint: budgetSchema, day: budgetSchema }).prefault({}),
  clarification: z
    .strictObject({
      enabled: z.boolean().default(true).describe(`Whether agents may ask with ${ownTool.askClarification}`),
      questionsDir: z
        .string()
        .min(1)
        .default('.agent-questions')
        .describe('Folder of question files, relative to the project'),
      defaultTimeout: z
        .int()
        .min(0)
        .max(LONGEST_TIMER_MS)
        .default(300_000)
        .describe(`How long a call of ${ownTool.askClarification} waits, in ms; 0: without limit`),
    })
    .prefault({}),
  elicitation: z
    .strictObject({
      clients: z
        .array(z.string().min(1))
        .default([...elicitingClients])
        .describe(
          'MCP clients, as they name themselves, that show questions of their agent to their user, too; none: []. Never where a runner has started the agent',
        ),
    })
    .prefault({}),
  changelog: z
    .strictObject({
      enabled: z.boolean().default(true).describe(`Whether ${ownTool.updateChangelog} writes the file`),
      file: z.string().min(1).default('CHANGELOG.md').describe('The file, relative to the project'),
    })
    .prefault({}),
  log: logSchema,
  queue: queueSchema,
  repository: repositorySchema,
  notify: notifySchema,
  screen: screenSchema,
});

/** What says that a task is done: `reported` by its agent, or exit code 0 of it. */
export type DoneWhen = z.infer<typeof doneSchema>;

/** A project's configuration, complete. */
export type Config = z.infer<typeof configSchema>;
