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

/** How many lines a call adds to files and takes out of them, as far as it shows them. */
export function linesChanged({
  content,
}: AcpCall): { readonly added: number; readonly removed: number } | undefined {
  const diffs = (content ?? []).flatMap((part) =>
    'newText' in part && typeof part.newText === 'string' ? [part] : [],
  );
  if (diffs.length === 0) return undefined;
  let [added, removed] = [0, 0];
  for (const { oldText, newText } of diffs) {
    const [old, now] = [linesOf(typeof oldText === 'string' ? oldText : ''), linesOf(String(newText))];
    const kept = commonEnds(old, now);
    added += now.length - kept;
    removed += old.length - kept;
  }
  return { added, removed };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

/** How many lines two texts begin and end with alike: what lies between them is what was changed. */
function commonEnds(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let first = 0;
  while (first < most && one[first] === other[first]) first += 1;
  let last = 0;
  while (last < most - first && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  return first + last;
}
