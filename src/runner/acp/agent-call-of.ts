import { resolve } from 'node:path';
import { READING_KINDS, type AgentCall, type AgentKind } from '../../gateway/permission/agent-call.ts';
import { otherFolders } from '../../gateway/permission/other-folders.ts';
import { commandsOf, folderIn, namedByCall, type NamedByCall } from '../../events/call-fields.ts';
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
  const { title, content } = call;
  const kind = call.kind ?? 'other';
  const input = saidOf(call);
  const diffs = shownDiffs(call);
  const { folder: said, others: besides } = folderIn(kind, input);
  const cwd = resolve(sessionFolder, said ?? toldFolder);
  const session = resolve(sessionFolder);
  const root = resolve(projectRoot);
  const others = otherFolders(cwd, besides, session);
  const isOnlyTold = said === undefined && cwd !== session;
  const isWhole = cwd === resolve(root, said ?? '.') && (others.length === 0 || session === root);
  const shownFolder = others.length === 0 ? cwd : [cwd, ...others];
  const shown = withMore(input, {
    // What is shown has them already.
    changes: input['content'] === content ? [] : diffs,
    [UNREAD]: unreadParts(call),
    // What it says of where it runs does not say it, or nothing does.
    [said === undefined ? 'cwd' : 'cwd shown']: isWhole ? undefined : shownFolder,
  });
  const commands = commandsOf(kind, shown);
  const located = locatedPaths(call);
  // What a command is about its agent has read out of it: it is another one for the same command changed.
  const isCommand = kind === 'execute' && commands.length > 0;
  const { args, named } = isCommand ? judgedOf(kind, shown) : withLocated(kind, shown, located);
  const isChange = diffs.length > 0 && READING_KINDS.includes(kind);
  return {
    kind: isChange ? 'edit' : kind,
    title: title ?? '',
    args,
    commands,
    cwd,
    ...(isOnlyTold ? { elsewhere: session } : {}),
    ...(others.length > 0 && { otherFolders: others }),
    paths: [...new Set([...located, ...named.paths])],
    ...(named.mayName.length > 0 && { mayName: named.mayName }),
    ...(named.isUnclear && { isUnclear: true, unknownField: named.unknownField }),
    ...(session !== root && { sessionFolder: session }),
    ...(named.deletes && { deletes: true }),
    hosts: named.hosts,
  };
}

/** What is judged of a call is what stands in its arguments, all that is shown of it among them. */
type Judged = { readonly args: Fields; readonly named: NamedByCall };

function judgedOf(kind: AgentKind, args: Fields): Judged {
  return { args, named: namedByCall(kind, args) };
}

/** With the files beside that its agent names, and its arguments do not. */
function withLocated(kind: AgentKind, args: Fields, located: readonly string[]): Judged {
  const without = judgedOf(kind, args);
  const isTold = new Set(without.named.paths);
  const locations = located.filter((path) => !isTold.has(path));
  return locations.length === 0 ? without : judgedOf(kind, withMore(args, { locations }));
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
