import { z } from 'zod';
import { durationMsSchema, nameSchema, textSchema } from './field-schemas.ts';

const runIdSchema = nameSchema;

const tokensSchema = z.int().nonnegative();

/**
 * Why a runner ended an agent that had not ended by itself: its task was `finished` and it did not go;
 * it was `stopped` for a reason outside of it, e.g. Ctrl-C; it never said `initialize` (`unconnected`); it
 * was unresponsive (`stalled`); its turn was over and it did not exit (`hung`); its time was up
 * (`overtime`); the model's provider gave it no more (`limited`); it used up a budget (`overspent`).
 */
export const endReasonSchema = z.enum([
  'finished',
  'stopped',
  'unconnected',
  'stalled',
  'hung',
  'overtime',
  'limited',
  'overspent',
]);
export type EndReason = z.infer<typeof endReasonSchema>;

/** Facts about one agent process. Subject: `stream/task`, or the stream for an agent of no task. */
export const agentEvents = {
  /**
   * `processStart` and `bootId` tell this process from a later one with the same pid. `agent` is its name in
   * the configuration, `adapter` what speaks its command line, `sessionId` the session it goes on with.
   */
  'agent.started': z.strictObject({
    runId: runIdSchema,
    attempt: z.int().positive(),
    adapter: nameSchema,
    agent: nameSchema.optional(),
    argv: z.array(z.string()),
    pid: z.int().positive(),
    processStart: z.string(),
    bootId: z.string(),
    transcript: z.string().optional(),
    sessionId: z.string().optional(),
  }),
  /** The agent's MCP client said `initialize`. */
  'agent.connected': z.strictObject({
    runId: runIdSchema.optional(),
    client: z.strictObject({ name: z.string(), version: z.string() }),
    protocol: z.string(),
  }),
  /** The agent CLI named the session it works in: a later run can go on with it. */
  'agent.sessionopened': z.strictObject({ runId: runIdSchema, sessionId: nameSchema }),
  /** Without a `reason` it ended by itself. `detail` says more, e.g. the last lines of its stderr. */
  'agent.exited': z.strictObject({
    runId: runIdSchema,
    code: z.int().nullable(),
    signal: z.string().nullable(),
    durationMs: durationMsSchema,
    reason: endReasonSchema.optional(),
    detail: textSchema.optional(),
  }),
  'agent.stalled': z.strictObject({ runId: runIdSchema, idleMs: durationMsSchema }),
  /** Dead, or ended by us, after its runner was gone. */
  'agent.lost': z.strictObject({ runId: runIdSchema, reason: textSchema }),
  /** What was used since the last `agent.usage` of the run. `cached`: read from a cache, not part of `input`. */
  'agent.usage': z.strictObject({
    runId: runIdSchema,
    tokens: z.strictObject({ input: tokensSchema, output: tokensSchema, cached: tokensSchema.optional() }),
    costUsd: z.number().nonnegative().optional(),
  }),
  /** The model's provider refuses more for now. Not known until when: without `resetsAt`. */
  'agent.limited': z.strictObject({
    runId: runIdSchema,
    resetsAt: z.iso.datetime().optional(),
    message: textSchema.optional(),
  }),
  /** It was refused more, and works on all the same. */
  'agent.continued': z.strictObject({ runId: runIdSchema }),
};
