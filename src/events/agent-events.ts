import { z } from 'zod';
import { durationMsSchema, nameSchema, textSchema } from './field-schemas.ts';

const runIdSchema = nameSchema;

/** Facts about one agent process. Subject: `stream/task`, or the stream for an agent of no task. */
export const agentEvents = {
  /** `processStart` and `bootId` tell this process from a later one with the same pid. */
  'agent.started': z.strictObject({
    runId: runIdSchema,
    attempt: z.int().positive(),
    adapter: nameSchema,
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
  'agent.exited': z.strictObject({
    runId: runIdSchema,
    code: z.int().nullable(),
    signal: z.string().nullable(),
    durationMs: durationMsSchema,
  }),
  'agent.stalled': z.strictObject({ runId: runIdSchema, idleMs: durationMsSchema }),
  /** Dead, or ended by us, after its runner was gone. */
  'agent.lost': z.strictObject({ runId: runIdSchema, reason: textSchema }),
  'agent.usage': z.strictObject({
    runId: runIdSchema,
    tokens: z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() }),
    costUsd: z.number().nonnegative().optional(),
  }),
  'agent.limited': z.strictObject({ runId: runIdSchema, resetsAt: z.iso.datetime().optional() }),
};
