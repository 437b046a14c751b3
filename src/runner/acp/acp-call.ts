import { z } from 'zod';
import { digestOf } from '../../lib/digest.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { agentKindSchema } from '../../gateway/permission/agent-call.ts';
import { folderIn, workdirIn } from '../../events/call-fields.ts';

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

const locationSchema = z.looseObject({ path: z.string().optional() });

/** A part of a call. zod would leave out an own `__proto__`, which to its agent is a key like any other. */
const partSchema = z.unknown().refine((part) => !isJsonObject(part) || !Object.hasOwn(part, '__proto__'));

/**
 * A tool call, or what has changed of one: `ToolCall` and `ToolCallUpdate` of the Agent Client Protocol, as far as they
 * are used here. What is not as the protocol has it counts as not said; of what may name files it stays that there was
 * something: content without a type, a location without a path.
 */
export const acpCallSchema = z.looseObject({
  toolCallId: z.string().min(1),
  title: z.string().nullish().catch(undefined),
  kind: agentKindSchema.nullish().catch('other'),
  status: z.string().nullish().catch(undefined),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  content: z
    .array(partSchema.pipe(contentSchema).catch(({ value }) => ({ type: '', said: value })))
    .nullish()
    .catch(({ value }) => [{ type: '', said: value }]),
  locations: z
    .array(partSchema.pipe(locationSchema).catch(({ value }) => ({ said: value })))
    .nullish()
    .catch(({ value }) => [{ said: value }]),
  _meta: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

/** See {@link acpCallSchema}. */
export type AcpCall = z.infer<typeof acpCallSchema>;

/** The places that a call names beside its input. */
export function locatedPaths({ locations }: AcpCall): string[] {
  return (locations ?? []).flatMap(({ path = '' }) => (path === '' ? [] : [path]));
}

/** A change of a file that a call shows. */
export type ShownDiff = { readonly type: 'diff'; readonly path: string; readonly newText: string };

/** The changes that a call shows, each of a file that it names. */
export function shownDiffs({ content }: AcpCall): ShownDiff[] {
  return (content ?? []).filter(isDiff);
}

function isDiff(part: object): part is ShownDiff {
  return (
    'type' in part &&
    part.type === 'diff' &&
    'path' in part &&
    typeof part.path === 'string' &&
    part.path !== '' &&
    'newText' in part &&
    typeof part.newText === 'string'
  );
}

/** What is said of files, or may be, and is not as the protocol has it. */
export function unreadParts({ locations, content }: AcpCall): readonly object[] {
  return [
    ...(locations ?? []).filter(({ path = '' }) => path === ''),
    ...(content ?? []).filter((part) => part.type === '' || (part.type === 'diff' && !isDiff(part))),
  ];
}

/** What a call was, to be compared: however long it is, it takes little room. */
export type CallDigest = {
  readonly kind: string;
  readonly input: string;
  /** Of each field of the input its name and its value. `undefined`: it has none, or so many that only the whole is compared. */
  readonly fields: readonly (readonly [name: string, value: string])[] | undefined;
  readonly title: string;
  readonly files: readonly string[];
  /** `undefined`: it has none. */
  readonly content: string | undefined;
};

/** More fields or files are compared as one. */
const MAX_COMPARED = 200;

/** See {@link CallDigest}. */
export function callDigest({ kind, rawInput, title, locations, content }: AcpCall): CallDigest {
  const fields = isJsonObject(rawInput) ? Object.entries(rawInput) : undefined;
  const paths = (locations ?? []).map((location) => location.path ?? location);
  return {
    kind: digestOf(kind ?? null),
    input: digestOf(rawInput ?? null),
    fields:
      fields && fields.length <= MAX_COMPARED
        ? fields.map(([name, value]) => [digestOf(name), digestOf(value ?? null)] as const)
        : undefined,
    title: digestOf(title ?? null),
    files: paths.length <= MAX_COMPARED ? paths.map((path) => digestOf(path)) : [digestOf(paths)],
    content: (content ?? []).length === 0 ? undefined : digestOf(content),
  };
}

/**
 * Whether an agent asks about a call that it has told of as it was: with no field, file or change that it did not tell. Some
 * leave out what nobody has to decide on, such as the model's own words for it.
 */
export function isToldAs(told: CallDigest, asked: CallDigest): boolean {
  if (told.kind !== asked.kind) return false;
  const before = told.fields && new Map(told.fields);
  const isInput =
    before && asked.fields
      ? asked.fields.length > 0 &&
        asked.fields.every(([name, value]) => (before.get(name) ?? NOTHING) === value)
      : told.input === asked.input && told.title === asked.title;
  const files = new Set(told.files);
  const areKnown = asked.files.every((file) => files.has(file));
  return isInput && areKnown && (asked.content === undefined || told.content === asked.content);
}

const NOTHING = digestOf(null);

/**
 * The folder that an agent tells of, and leaves out when it asks. Not any that its input names: the model writes that, and an
 * agent does not go by a field that its tool does not have.
 */
export function toldFolderOf({ rawInput }: AcpCall): string | undefined {
  return isJsonObject(rawInput) ? workdirIn(rawInput) : undefined;
}

/** In which folder a call says that it is made. `undefined`: it does not say. */
export function folderOf(call: AcpCall): string | undefined {
  return isJsonObject(call.rawInput) ? folderIn(call.kind ?? 'other', call.rawInput).folder : undefined;
}

/** What is known of a call once more was said of it: an update replaces only what it names. */
export function mergedCall(before: AcpCall | undefined, update: AcpCall): AcpCall {
  const said = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...(Object.fromEntries(said) as Partial<AcpCall>), toolCallId: update.toolCallId };
}
