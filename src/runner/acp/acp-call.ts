import { z } from 'zod';
import { digestOf } from '../../lib/digest.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { agentKindSchema } from '../../gateway/permission/agent-call.ts';
import { folderIn, workdirIn } from '../../gateway/permission/call-fields.ts';

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

/**
 * Whether an agent asks about a call that it has told of as it was: with no field, file or change that it did not tell. Some
 * leave out what nobody has to decide on, such as the model's own words for it.
 */
export function isToldAs(told: AcpCall, asked: AcpCall): boolean {
  if (!isSame(told.kind, asked.kind)) return false;
  const [before, now] = [told.rawInput, asked.rawInput];
  const isInput =
    isJsonObject(before) && isJsonObject(now)
      ? Object.keys(now).length > 0 &&
        Object.entries(now).every(([name, value]) => isSame(before[name], value))
      : isSame(before, now) && told.title === asked.title;
  const files = new Set(told.locations?.map(({ path }) => path));
  const areKnown = (asked.locations ?? []).every(({ path }) => files.has(path));
  const isEmpty = (asked.content ?? []).length === 0;
  return isInput && areKnown && (isEmpty || isSame(told.content, asked.content));
}

function isSame(one: unknown, other: unknown): boolean {
  return digestOf(one ?? null) === digestOf(other ?? null);
}

/**
 * The folder that an agent tells of, and leaves out when it asks. Not any that its input names: the model writes that, and an
 * agent does not go by a field that its tool does not have.
 */
export function toldFolderOf({ rawInput }: AcpCall): string | undefined {
  return isJsonObject(rawInput) ? workdirIn(rawInput) : undefined;
}

/** In which folder a call says that it is made. `undefined`: it does not say. */
export function folderOf({ rawInput }: AcpCall): string | undefined {
  return isJsonObject(rawInput) ? folderIn(rawInput) : undefined;
}

/** What is known of a call once more was said of it: an update replaces only what it names. */
export function mergedCall(before: AcpCall | undefined, update: AcpCall): AcpCall {
  const said = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...(Object.fromEntries(said) as Partial<AcpCall>), toolCallId: update.toolCallId };
}
