import type { EventType } from '../../events/catalog.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import { streamOf, taskOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import { ownTool } from './own-tools.ts';

/** What a decision is about, as it is typed. */
type Names = { readonly stream: string; readonly task: string; readonly request: string };

/** The commands with which people decide. */
const commands: Partial<Record<EventType, (names: Names) => string>> = {
  'sprint.started': ({ stream }) => `clifford run ${stream}`,
  'sprint.paused': ({ stream }) => `clifford pause ${stream}`,
  'sprint.resumed': ({ stream }) => `clifford resume ${stream}`,
  'sprint.cancelled': ({ stream }) => `clifford cancel --sprint ${stream}`,
  'task.reset': ({ stream, task }) => `clifford retry ${task} --sprint ${stream}`,
  'task.skipped': ({ stream, task }) => `clifford skip ${task} --sprint ${stream}`,
  'task.cancelled': ({ stream, task }) => `clifford cancel ${task} --sprint ${stream}`,
  'help.answered': ({ request }) => `clifford answer ${request}`,
  'help.dismissed': ({ request }) => `clifford dismiss ${request}`,
};

/** Who is told what else could be decided. */
export type WayReader = {
  /** An agent: it has the tools of Clifford's MCP server. */
  readonly isAgent: boolean;
  /** A runner is at work on the sprint. Another one cannot be started. */
  readonly hasRunner: boolean;
  /** It waits in the queue for a worker. Nobody else starts anything of it, unless it is taken out. */
  readonly isQueued: boolean;
};

/** What a person at a shell can do for a task, where an agent would call a tool. */
const taskCommands: Partial<Record<EventType, (names: Names) => string>> = {
  'task.started': ({ stream }) => `clifford run ${stream}`,
  'task.completed': ({ stream, task }) => `clifford task done ${task} --sprint ${stream}`,
  'task.failed': ({ stream, task }) => `clifford task fail ${task} --sprint ${stream} --reason "…"`,
};

/** The statuses that agents give a task, with the tool `update_task_status`. */
const statuses: Partial<Record<EventType, string>> = {
  'task.started': 'active',
  'task.blocked': 'blocked',
  'task.completed': 'completed',
};

/**
 * How people and agents make these decisions about what `event` is about: commands, and for an agent that spoke to
 * Clifford's MCP server its tools. Decisions that only the runner makes are left out.
 */
export function waysTo(
  types: readonly EventType[],
  { subject, type, data }: Candidate,
  { isAgent, hasRunner, isQueued }: WayReader,
): string[] {
  const isReply = type === 'help.answered' || type === 'help.dismissed';
  const names = {
    stream: streamOf(subject),
    task: printedWord(taskOf(subject) ?? ''),
    request: isReply ? data.requestId : '',
  };
  const starts: readonly EventType[] = ['sprint.started', 'task.started'];
  const own = types.filter((each) => !(isQueued && starts.includes(each)));
  const open = own.filter((each) => !(hasRunner && starts.includes(each)));
  if (!isAgent)
    return [
      ...open.flatMap((each) => commands[each]?.(names) ?? taskCommands[each]?.(names) ?? []),
      ...(own.length < types.length ? [`clifford queue cancel ${names.stream}`] : []),
    ];
  const told = own.flatMap((each) => statuses[each] ?? []);
  return [
    ...open.flatMap((each) => commands[each]?.(names) ?? []),
    ...(types.includes('sprint.completed') ? [`the tool ${ownTool.completeSprint}`] : []),
    ...(told.length > 0 ? [`the tool ${ownTool.updateTaskStatus} (${told.join(', ')})`] : []),
  ];
}
