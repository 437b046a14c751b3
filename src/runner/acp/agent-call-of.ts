import { resolve } from 'node:path';
import { READING_KINDS, type AgentCall } from '../../gateway/permission/agent-call.ts';
import { commandsOf, folderIn, placesIn } from '../../events/call-fields.ts';
import type { Fields } from '../../events/call-files/field-names.ts';
import { UNREAD } from '../../events/call-files/files-in-call.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { locatedPaths, shownDiffs, unreadParts, type AcpCall } from './acp-call.ts';

/** Where a call is made that does not say it. */
export type CallPlace = {
  /** In which folder its session works, absolute. Default: the project's root. */
  readonly sessionFolder?: string;
  /** In which folder the agent said of the call before that it is made: some leave that out when they ask. */
  readonly told?: string | undefined;
};

/** What an agent asks permission for, from the tool call that its request has. */
export function agentCallOf(
  call: AcpCall,
  projectRoot: string,
  { sessionFolder = projectRoot, told: toldFolder = '.' }: CallPlace = {},
): AgentCall {
  const { rawInput, kind, title, content } = call;
  const input = saidOf(call);
  const { folder, paths, mayName, hosts, isUnclear, unknownField, deletes } = placesIn(
    kind ?? 'other',
    hasInput(rawInput) ? input : {},
  );
  const diffs = shownDiffs(call);
  const unread = unreadParts(call);
  const { folder: said, notKnown } = folderIn(kind ?? 'other', input);
  const cwd = resolve(sessionFolder, said ?? toldFolder);
  const session = resolve(sessionFolder);
  const isOnlyTold = said === undefined && cwd !== session;
  const told = [...diffs.map(({ path }) => path), ...paths];
  const located = [...locatedPaths(call), ...pathsOfUnread(unread)];
  const isTold = new Set(told);
  const commands = commandsOf(kind ?? 'other', input);
  const isCommand = kind === 'execute' && commands.length > 0;
  const isChange = diffs.length > 0 && READING_KINDS.includes(kind ?? 'other');
  return {
    kind: isChange ? 'edit' : (kind ?? 'other'),
    title: title ?? '',
    args: withMore(input, {
      // What is shown has them already.
      changes: input['content'] === content ? [] : diffs,
      [UNREAD]: unread,
      // What a command is about its agent has read out of it: it is another one for the same command changed.
      locations: isCommand ? [] : located.filter((path) => !isTold.has(path)),
      // What it says of where it runs does not say it, or nothing does.
      cwd: cwd === resolve(projectRoot, folder) ? undefined : cwd,
    }),
    commands,
    cwd,
    ...(isOnlyTold ? { elsewhere: session } : {}),
    paths: [...new Set([...located, ...told])],
    ...(mayName.length > 0 && { mayName }),
    ...((isUnclear || notKnown !== undefined || unread.length > 0) && { isUnclear: true }),
    unknownField: unknownField ?? notKnown,
    ...(session !== resolve(projectRoot) && { sessionFolder: session }),
    ...(deletes && { deletes }),
    hosts,
  };
}

/** Of changes that do not say to what. */
function pathsOfUnread(parts: readonly object[]): string[] {
  return parts.flatMap((part) =>
    'path' in part && typeof part.path === 'string' && part.path !== '' ? [part.path] : [],
  );
}

/**
 * All that is said of what would happen: a yes is for it, and for nothing that differs. Some agents have it in the field
 * for the input, some in what they show.
 */
function saidOf({ rawInput, title, content }: AcpCall): Fields {
  if (!hasInput(rawInput)) return { title: title ?? '', content: content ?? [] };
  return isJsonObject(rawInput) ? rawInput : { input: rawInput };
}

function hasInput(rawInput: unknown): boolean {
  const isNothing = rawInput === undefined || rawInput === null;
  return !isNothing && !(isJsonObject(rawInput) && Object.keys(rawInput).length === 0);
}

/** No field takes the place of one that the agent has named so. */
function withMore(
  args: Fields,
  more: Readonly<Record<string, readonly unknown[] | string | undefined>>,
): Fields {
  const entries = Object.entries(more).flatMap(([name, value]) => {
    if (value === undefined || value.length === 0) return [];
    let free = name;
    while (Object.hasOwn(args, free)) free += ' shown';
    return [[free, value] as const];
  });
  return entries.length === 0 ? args : { ...args, ...Object.fromEntries(entries) };
}
