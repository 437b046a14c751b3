import { z } from 'zod';
import { approvalSchema, approvalScopeSchema, approvalVerdictSchema } from './approval.ts';
import { durationMsSchema, nameSchema, textSchema } from './field-schemas.ts';

/** What a request wants of a human. */
export const requestKindSchema = z.enum(['help', 'clarification', 'approval', 'prompt']);
/** One of {@link requestKindSchema}. */
export type RequestKind = z.infer<typeof requestKindSchema>;

/**
 * Who asked. `agent` is the run id of an attempt, or the id of the server session for an agent
 * that nobody started; answers are delivered per agent.
 */
const originSchema = z.strictObject({
  agent: nameSchema,
  runId: nameSchema.optional(),
  client: z.string().optional(),
});

const requestId = nameSchema;

/** Facts about one request to a human. Subject: the task it blocks, else the stream. */
export const helpEvents = {
  /**
   * `follows` names the answered request whose words the same agent repeated. `approval` is the tool call
   * that waits for it, of a request of that kind.
   */
  'help.requested': z.strictObject({
    requestId,
    kind: requestKindSchema,
    /** The task as the asker named it, which may be unknown or done. */
    task: nameSchema.optional(),
    question: textSchema,
    reason: textSchema.optional(),
    context: textSchema.optional(),
    options: z.array(textSchema).optional(),
    deadlineMs: durationMsSchema.optional(),
    follows: requestId.optional(),
    approval: approvalSchema.optional(),
    origin: originSchema,
  }),
  /**
   * `via` is the face it came through: `tui`, `cli`, `web`, `file`, `api`. With `rejected` the human
   * turned the question itself down, and `response` says why. Where a tool call waits, `verdict` decides,
   * `scope` says for how much a yes stands, and `response` is for the agent.
   */
  'help.answered': z.strictObject({
    requestId,
    response: textSchema,
    option: z.int().nonnegative().optional(),
    rejected: z.literal(true).optional(),
    verdict: approvalVerdictSchema.optional(),
    scope: approvalScopeSchema.optional(),
    by: nameSchema,
    via: nameSchema,
  }),
  'help.dismissed': z.strictObject({
    requestId,
    by: nameSchema,
    via: nameSchema,
    reason: textSchema.optional(),
  }),
  /** A call's time limit ended the call of this agent. The question stays open. */
  'help.expired': z.strictObject({ requestId, afterMs: durationMsSchema, agent: nameSchema.optional() }),
  /** An agent waits for it again, or one more does. */
  'help.attached': z.strictObject({ requestId, agent: nameSchema }),
  /** The agent's call ended without an answer. The question stays open. */
  'help.detached': z.strictObject({ requestId, agent: nameSchema, why: textSchema }),
  /** The answer, or the word that there will be none, was flushed to the agent `to`. */
  'help.delivered': z.strictObject({ requestId, to: nameSchema }),
};
