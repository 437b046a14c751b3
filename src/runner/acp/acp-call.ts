import { z } from 'zod';
import { agentKindSchema } from '../../gateway/permission/agent-call.ts';

const contentSchema = z.union([
  z.looseObject({
    type: z.literal('diff'),
    path: z.string(),
    oldText: z.string().nullish(),
    newText: z.string(),
  }),
  z.looseObject({ type: z.literal('content'), content: z.looseObject({ text: z.string() }) }),
  z.looseObject({ type: z.string() }),
]);

/**
 * A tool call, or what has changed of one: `ToolCall` and `ToolCallUpdate` of the Agent Client Protocol, as far as they
 * are used here. What is not as the protocol has it counts as not said.
 */
export const acpCallSchema = z.looseObject({
  toolCallId: z.string().min(1),
  title: z.string().nullish().catch(undefined),
  kind: agentKindSchema.nullish().catch('other'),
  status: z.string().nullish().catch(undefined),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  content: z.array(contentSchema).nullish().catch(undefined),
  locations: z
    .array(z.looseObject({ path: z.string() }))
    .nullish()
    .catch(undefined),
  _meta: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

/** See {@link acpCallSchema}. */
export type AcpCall = z.infer<typeof acpCallSchema>;

/** What is known of a call once more was said of it: an update replaces only what it names. */
export function mergedCall(before: AcpCall | undefined, update: AcpCall): AcpCall {
  const said = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...(Object.fromEntries(said) as Partial<AcpCall>), toolCallId: update.toolCallId };
}
