import { z } from 'zod';
import { digestsSchema, durationMsSchema, jsonSchema, nameSchema, textSchema } from './field-schemas.ts';

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
  /** With `requestId` by a human, `by`, who was asked: one call at most is allowed by the same request. */
  'tool.allowed': z.strictObject({
    callId,
    rule: textSchema.optional(),
    by: nameSchema.optional(),
    requestId: nameSchema.optional(),
  }),
  'tool.denied': z.strictObject({ callId, rule: textSchema.optional(), by: nameSchema.optional() }),
  'tool.returned': z.strictObject({
    callId,
    isError: z.boolean(),
    durationMs: durationMsSchema,
    bytes: z.int().nonnegative(),
  }),
  'tool.failed': z.strictObject({ callId, error: textSchema }),
  /**
   * The definitions of these tools, by name, are the known ones from now on; `tools` has their digests.
   * Without `by` they were seen for the first time.
   */
  'tool.pinned': z.strictObject({
    server: nameSchema,
    tools: digestsSchema,
    by: nameSchema.optional(),
  }),
};
