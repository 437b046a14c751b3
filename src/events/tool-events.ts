import { z } from 'zod';
import { durationMsSchema, jsonSchema, nameSchema, textSchema } from './field-schemas.ts';

const callId = nameSchema;

/** Facts about one tool call of an agent, Clifford's own tools (server `clifford`) included. */
export const toolEvents = {
  /** `args` is redacted and capped; `argsDigest` is the base64url SHA-256 of the whole. */
  'tool.requested': z.strictObject({
    callId,
    server: nameSchema,
    tool: nameSchema,
    args: jsonSchema,
    argsDigest: z.string(),
    runId: nameSchema.optional(),
  }),
  'tool.allowed': z.strictObject({ callId, rule: textSchema.optional(), by: nameSchema.optional() }),
  'tool.denied': z.strictObject({ callId, rule: textSchema.optional(), by: nameSchema.optional() }),
  'tool.returned': z.strictObject({
    callId,
    isError: z.boolean(),
    durationMs: durationMsSchema,
    bytes: z.int().nonnegative(),
  }),
  'tool.failed': z.strictObject({ callId, error: textSchema }),
  'policy.ruleadded': z.strictObject({ rule: z.record(z.string(), jsonSchema), by: nameSchema }),
};
