import { z } from 'zod';
import { verdictSchema } from '../../events/verdict.ts';
import type { SprintAct, TaskAct } from '../../views/sprints/possible-acts.ts';
import type { SprintStatus, TaskStatus } from '../../views/sprints/sprint-status.ts';
import type { SprintTotals } from '../../views/sprints/summary-facts.ts';
import type { WhoRuns } from '../../views/sprints/who-runs.ts';
import { sprintIdSchema, statusWordSchema, taskSchema, timeSchema, usageSchema } from './fields.ts';
import { viewSchema } from './view-schema.ts';

/** A task as `clifford status --json` has it, with its title and what can be done to it now. */
export type SentTask = TaskStatus & {
  /** The first heading of its file; `''`: it has none. */
  readonly title: string;
  readonly acts: readonly TaskAct[];
};

/** A sprint with its tasks. What waits for a human is in the state, for all sprints together. */
export type SentSprint = Omit<SprintStatus, 'tasks' | 'open'> & {
  readonly tasks: readonly SentTask[];
  readonly runs: WhoRuns;
  /** What can be done to it now. `stop` ends the run that is at work on it. */
  readonly acts: readonly (SprintAct | 'stop' | 'retry')[];
  /** The command that runs it, as it is typed. */
  readonly runLine: string;
};

const setAsideSchema = z.object({ by: z.string(), reason: z.string().optional() });

/** See {@link SentTask}. */
export const sentTaskSchema = viewSchema<SentTask>()(
  z.object({
    id: taskSchema,
    file: z.string(),
    title: z.string(),
    dependsOn: z.array(taskSchema),
    waitsFor: z.array(taskSchema),
    behind: z.array(taskSchema).optional(),
    state: statusWordSchema,
    detail: z.string().optional(),
    /** The one word that people read: `idle`, `done`, … */
    word: z.string(),
    attempt: z.int(),
    failures: z.int(),
    maxAttempts: z.int(),
    lastFailure: z.string().optional(),
    /** Of one that failed with attempts left, why there is no other, in words. */
    gaveUp: z.string().optional(),
    setAside: setAsideSchema.optional(),
    byHandSince: timeSchema.optional(),
    /** In ms, without the wait that is going on since `blockedSince`. */
    waitedMs: z.number(),
    blockedSince: timeSchema.optional(),
    /** In ms, without what is going on since `workingSince`. */
    workedMs: z.number(),
    workingSince: timeSchema.optional(),
    parkedSince: timeSchema.optional(),
    limitedUntil: timeSchema.optional(),
    usage: usageSchema,
    agent: z
      .object({
        runId: z.string(),
        pid: z.int(),
        name: z.string(),
        isKnown: z.boolean(),
        startedAt: timeSchema,
        connectedAt: timeSchema.optional(),
      })
      .optional(),
    isAgentGone: z.boolean(),
    ran: z
      .object({
        name: z.string(),
        model: z.string().optional(),
        startedAt: timeSchema,
        endedAt: timeSchema.optional(),
      })
      .optional(),
    brokenBefore: z.array(z.string()),
    failing: z.array(z.object({ command: z.string(), verdict: verdictSchema.optional() })),
    commit: z.union([z.object({ sha: z.string() }), z.object({ reason: z.string() })]).optional(),
    unasked: z.int(),
    unaskedBy: z.array(z.string()),
    unheard: z.int().optional(),
    worker: z.string().optional(),
    needs: z.array(z.string()).optional(),
    acts: z.array(z.enum(['retry', 'skip', 'cancel', 'note'])),
  }),
);

/** See {@link WhoRuns}. */
export const whoRunsSchema = viewSchema<WhoRuns>()(
  z.discriminatedUnion('is', [
    z.object({ is: z.literal('running'), agents: z.array(z.string()), waiting: z.array(z.string()) }),
    z.object({ is: z.literal('by-hand') }),
    z.object({ is: z.literal('queued') }),
    z.object({ is: z.literal('deserted') }),
    z.object({ is: z.literal('paused') }),
    z.object({ is: z.literal('not-started') }),
    z.object({ is: z.literal('nothing-left') }),
    z.object({ is: z.literal('failed') }),
    z.object({ is: z.literal('over') }),
    z.object({ is: z.literal('empty') }),
    z.object({ is: z.literal('unusable'), why: z.string() }),
    z.object({ is: z.literal('outside') }),
  ]),
);

const sprintHead = {
  id: sprintIdSchema,
  name: z.string(),
  state: statusWordSchema,
  detail: z.string().optional(),
  /** The one word that people read. */
  word: z.string(),
  inLog: z.boolean(),
  hasRunner: z.boolean(),
  left: z.object({ reason: z.string(), at: timeSchema }).optional(),
  /** Of its newest event; 0: it has none. */
  version: z.int().nonnegative(),
  lastEventAt: timeSchema.optional(),
  lastFailure: z.string().optional(),
  setAside: setAsideSchema.optional(),
  toolCalls: z.int(),
  usage: usageSchema,
  runOptions: z.array(z.string()).optional(),
};

/** See {@link SentSprint}. */
export const sentSprintSchema = viewSchema<SentSprint>()(
  z.object({
    ...sprintHead,
    tasks: z.array(sentTaskSchema),
    runs: whoRunsSchema,
    acts: z.array(z.enum(['pause', 'resume', 'cancel', 'stop', 'retry'])),
    runLine: z.string(),
  }),
);

/** What a sprint took as a whole, and what was decided in it. */
export type SentTotals = SprintTotals & {
  /** How many questions and calls somebody has decided. */
  readonly decisions: number;
  /** The newest of these, the oldest first: `form: Which database? → SQLite (maria)`. */
  readonly decided: readonly string[];
  /** The newest commits, the oldest first: `0123456789ab  form, 2 files`. */
  readonly committed: readonly string[];
};

/** See {@link SentTotals}. */
export const totalsSchema = viewSchema<SentTotals>()(
  z.object({
    /** From the beginning of its first run to its last event, in ms. */
    tookMs: z.number(),
    /** Of all tasks together, in ms. */
    workedMs: z.number(),
    waitedMs: z.number(),
    attempts: z.int(),
    questions: z.int(),
    approvals: z.int(),
    /** Of these, how many a human refused. */
    refused: z.int(),
    /** Calls that were refused without a human's word. */
    refusedByPolicy: z.int(),
    /** Questions that ended without anybody's word. */
    unanswered: z.int(),
    commits: z.int(),
    /** That these changed, each once. */
    files: z.int(),
    /** What stands in the working tree in no commit, where none was made. Absent: nobody can tell. */
    uncommitted: z
      .object({
        files: z.int(),
        added: z.int(),
        removed: z.int(),
        /** Who changed them: whoever did, where it is not known how the files were before. */
        by: z.enum(['tasks', 'anybody']),
      })
      .optional(),
    usage: usageSchema,
    decisions: z.int(),
    decided: z.array(z.string()),
    committed: z.array(z.string()),
  }),
);
