import { z } from 'zod';
import { agentEvents } from '../events/descriptors/agent-events.ts';
import { commitEvents } from '../events/descriptors/commit-events.ts';
import { helpEvents, requestKindSchema } from '../events/descriptors/help-events.ts';
import { noteEvents } from '../events/descriptors/note-events.ts';
import { policyEvents } from '../events/descriptors/policy-events.ts';
import { reportEvents } from '../events/descriptors/report-events.ts';
import { jobEvents } from '../events/descriptors/job-events.ts';
import { sprintEvents } from '../events/descriptors/sprint-events.ts';
import { offerEvents } from '../events/descriptors/offer-events.ts';
import { taskEvents } from '../events/descriptors/task-events.ts';
import { worktreeEvents } from '../events/descriptors/worktree-events.ts';
import { lostWorkerSchema } from '../events/field-schemas.ts';
import { once } from '../lib/once.ts';
import { verdictSchema } from '../events/verdict.ts';
import { askedCallsOf } from './asked-calls.ts';
import { sprintKind, taskKind } from './kinds.ts';
import type { SprintState } from './project-state.ts';
import type { Pins } from './policy-state.ts';

const stateValue = z.union([z.string(), z.record(z.string(), z.string())]);

const usageSchema = z.strictObject({ input: z.number(), output: z.number(), costUsd: z.number() });

/** What the agents of all sprints used on the latest day. */
const spendingSchema = z.strictObject({ day: z.string(), usage: usageSchema });

/** The usage limits of agents. */
const limitsSchema = once(() =>
  z.array(agentEvents['agent.limited'].data.extend({ agent: z.string(), at: z.string(), times: z.int() })),
);

/** What humans allowed for more than one call. */
const policyRulesSchema = once(() =>
  z.array(
    policyEvents['policy.ruleadded'].data
      .omit({ ruleId: true })
      .extend({ id: z.string(), at: z.string(), recordedIn: z.string() }),
  ),
);

/** The known definitions of tools: per server each tool with its digest. */
const pinsSchema = z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.string()]))]));

/** What is in no stream. */
export const projectWideShape = once(() => ({
  spending: spendingSchema,
  limits: limitsSchema(),
  policyRules: policyRulesSchema(),
  pins: pinsSchema,
}));

const unfitSchema = z.strictObject({
  machines: z.array(z.string()),
  times: z.int().nonnegative(),
  reason: z.string().optional(),
  untrusting: z.strictObject({ machines: z.array(z.string()), reason: z.string() }).optional(),
  leftTo: z.string().optional(),
});

const stuckSchema = once(() => worktreeEvents['worktree.stuck'].data.omit({ files: true }));

const placeShape = { channel: z.string(), place: z.string().optional() };

const setAsideSchema = z.strictObject({ by: z.string(), reason: z.string().optional() });

const taskSchema = once(() =>
  z.strictObject({
    id: z.string(),
    file: z.string(),
    dependsOn: z.array(z.string()),
    machine: z.strictObject({
      value: stateValue,
      context: z.strictObject({
        maxAttempts: z.int(),
        attempt: z.int(),
        failures: z.int(),
        runId: z.string().nullable(),
        byHand: z.boolean(),
        open: z.array(z.strictObject({ requestId: z.string(), kind: requestKindSchema })),
      }),
    }),
    agent: agentEvents['agent.started'].data
      .extend({
        startedAt: z.string(),
        connectedAt: z.string().optional(),
        end: z.union([agentEvents['agent.exited'].data, agentEvents['agent.lost'].data]).optional(),
        endedAt: z.string().optional(),
        parkedAt: z.string().optional(),
      })
      .optional(),
    connection: z.strictObject({ runId: z.string(), at: z.string() }).optional(),
    retryAt: z.string().optional(),
    lastFailure: z.string().optional(),
    failedAt: z.string().optional(),
    gaveUp: taskEvents['task.failed'].data.pick({ by: true, runId: true }).optional(),
    failuresTold: z.array(z.strictObject({ ...placeShape, attempt: z.int().nonnegative() })).optional(),
    byHandSince: z.string().optional(),
    setAside: setAsideSchema.optional(),
    waitedMs: z.number(),
    blockedSince: z.string().optional(),
    workedMs: z.number(),
    workingSince: z.string().optional(),
    uat: reportEvents['uat.reported'].data.extend({ at: z.string() }).optional(),
    sessions: z.array(
      z.strictObject({
        runId: z.string(),
        adapter: z.string(),
        agent: z.string().optional(),
        sessionId: z.string(),
        used: z.strictObject({ input: z.number(), output: z.number(), cached: z.number() }),
      }),
    ),
    usage: usageSchema,
    checksDigest: z.string().optional(),
    isDoneByExit: z.boolean(),
    baseline: z.array(z.strictObject({ command: z.string(), code: z.int().nullable() })),
    checks: z.array(
      z.strictObject({ command: z.string(), code: z.int().nullable(), verdict: verdictSchema.optional() }),
    ),
    commit: z.union([commitEvents['task.committed'].data, commitEvents['task.uncommitted'].data]).optional(),
    isLost: z.literal(true).optional(),
    worktree: worktreeEvents['worktree.claimed'].data
      .extend({
        phase: z.enum(['claimed', 'ready', 'stuck', 'merged', 'dropped']),
        claim: z.string().optional(),
        stuck: stuckSchema().optional(),
        rounds: z.int().nonnegative().optional(),
        putRightBy: z.string().optional(),
        merged: z.string().optional(),
      })
      .optional(),
    isApart: z.literal(true).optional(),
    kept: z.array(worktreeEvents['worktree.kept'].data).optional(),
    offer: offerEvents['offer.made'].data
      .pick({ base: true, needs: true })
      .extend({
        phase: z.enum(['open', 'taken', 'ended', 'settled']),
        at: z.string(),
        losses: z.int().nonnegative(),
        worker: z.string().optional(),
        branch: z.string().optional(),
        slot: z.int().positive().optional(),
        after: lostWorkerSchema.optional(),
        sha: z.string().optional(),
        unfit: unfitSchema.optional(),
        stuck: stuckSchema().optional(),
      })
      .optional(),
    takes: z.int().positive().optional(),
    notes: z.array(
      noteEvents['note.sent'].data.omit({ noteId: true }).extend({
        id: z.string(),
        at: z.string(),
        taken: noteEvents['note.taken'].data.pick({ way: true }).extend({ by: z.string() }).optional(),
        delivered: noteEvents['note.delivered'].data
          .omit({ noteId: true })
          .extend({ at: z.string() })
          .optional(),
      }),
    ),
    unasked: z.int().nonnegative().optional(),
    unaskedBy: z.array(z.string()).optional(),
  }),
);

const toldSchema = z.strictObject({
  ...placeShape,
  about: z.string(),
  ref: z.string().optional(),
  showsCall: z.literal(true).optional(),
  at: z.string(),
  isSettled: z.literal(true).optional(),
});

const requestSchema = once(() =>
  z.strictObject({
    id: z.string(),
    stream: z.string(),
    taskId: z.string().optional(),
    asked: helpEvents['help.requested'].data.omit({ requestId: true }),
    askedAt: z.string(),
    phase: z.enum(['open', 'answered', 'delivered', 'dismissed']),
    answer: helpEvents['help.answered'].data.omit({ requestId: true }).extend({ at: z.string() }).optional(),
    dismissal: helpEvents['help.dismissed'].data
      .omit({ requestId: true })
      .extend({ at: z.string() })
      .optional(),
    usedBy: z.string().optional(),
    hasLapsed: z.literal(true).optional(),
    deliveredTo: z.array(z.string()),
    waiting: z.array(z.string()).transform((agents) => new Set(agents)),
    detached: z.array(z.string()),
    told: z.array(toldSchema).optional(),
  }),
);

const count = z.int().nonnegative();

const sprintSchema = once(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    manifest: z.string().optional(),
    machine: z.strictObject({
      value: stateValue,
      context: z.strictObject({ stuck: z.boolean(), finished: z.boolean() }),
    }),
    tasks: z.array(taskSchema()),
    requests: z.array(requestSchema()),
    tally: z.strictObject({ pending: count, active: count, blocked: count, failed: count, ended: count }),
    runner: z
      .strictObject({
        name: z.string(),
        run: sprintEvents['sprint.started'].data.shape.run,
        options: sprintEvents['sprint.started'].data.shape.options,
        left: z.strictObject({ reason: z.string(), at: z.string() }).optional(),
      })
      .optional(),
    job: jobEvents['job.taken'].data.extend({ at: z.string(), losses: count }).optional(),
    queuedAt: z.string().optional(),
    leftQueue: z
      .union([
        jobEvents['job.ended'].data.extend({ at: z.string() }),
        jobEvents['job.cancelled'].data.extend({ outcome: z.literal('cancelled'), at: z.string() }),
      ])
      .optional(),
    isUnpushed: z.literal(true).optional(),
    lossesBefore: z.int().positive().optional(),
    unfit: unfitSchema.optional(),
    version: count,
    lastEventAt: z.string().optional(),
    lastFailure: z.string().optional(),
    endedAt: z.string().optional(),
    told: z.array(toldSchema).optional(),
    setAside: setAsideSchema.optional(),
    toolCalls: count,
    changelog: z.strictObject({ name: z.string().optional(), entries: z.array(z.string()) }).optional(),
    usage: usageSchema,
    unaskedBy: z.array(z.strictObject({ agent: z.string(), at: z.string() })).optional(),
  }),
);

/** A sprint's state as JSON. Shares nothing with it once it is serialised. */
export function toSnapshot({ askedCalls: _follows, ...sprint }: SprintState): unknown {
  const requests = [...sprint.requests.values()].map(({ waiting, ...request }) => ({
    ...request,
    waiting: [...waiting],
  }));
  return { ...sprint, tasks: [...sprint.tasks.values()], requests };
}

/**
 * The state a snapshot was made of. Its machines are restored when their first event arrives.
 *
 * @throws {z.ZodError} when it is none, or one of another version.
 */
export function fromSnapshot(snapshot: unknown): SprintState {
  const { tasks, requests: all, machine, ...plain } = sprintSchema().parse(snapshot);
  const requests = new Map(all.map((request) => [request.id, request]));
  return {
    ...plain,
    machine: sprintKind.revive(machine),
    tasks: new Map(tasks.map((task) => [task.id, { ...task, machine: taskKind.revive(task.machine) }])),
    requests,
    askedCalls: askedCallsOf(requests),
  };
}

/** The known definitions as JSON, see {@link projectWideShape}. */
export function pinsToSnapshot(pins: Pins): z.infer<typeof pinsSchema> {
  return [...pins].map(([server, tools]) => [server, [...tools]]);
}

/** The known definitions that a snapshot has. */
export function pinsFromSnapshot(rows: z.infer<typeof pinsSchema>): Pins {
  return new Map(rows.map(([server, tools]) => [server, new Map(tools)]));
}
