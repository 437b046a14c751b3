import type { stuckReasons } from '../../events/descriptors/worktree-events.ts';
import { subjectOf } from '../../events/envelope.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { Candidate } from '../../machines/legality.ts';
import { mergeOf, stuckOf } from '../../machines/fold-worktree.ts';
import type { RequestState, SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import { TASK_CHECKOUTS, worktreePath } from './worktree-names.ts';
import { listed } from '../../lib/text/listed.ts';
import { newNoteId } from '../notes/send-note.ts';
import { newRequestId } from '../requests/ask.ts';

/** Why the changes of a task could not be merged. */
export type Stuck = {
  readonly why: (typeof stuckReasons)[number];
  /** In words. */
  readonly reason: string;
  /** Those in conflict. */
  readonly files: readonly string[];
  /** What a human has to see of it: the conflict, or what a command printed. */
  readonly context?: string | undefined;
  /** An agent could do nothing about it. */
  readonly isTrouble?: boolean | undefined;
  /** The worktree is gone: what of it is there still. */
  readonly kept?: 'branch' | 'nothing' | undefined;
  /** No worktree could be made: what to do about that, and where. */
  readonly remedy?: string | undefined;
};

/**
 * What a human can choose. Other words are for the agent that goes on with it.
 *
 * @internal for tests
 */
export const mergeAnswers = {
  agent: 'Let an agent put it right',
  again: 'Try again: I have put it right',
  drop: 'Give up its changes',
} as const;

/** How often an agent goes on with a task by itself, where that is what the configuration says. */
const MOST_ROUNDS = 2;

/** Who merges, and what is done where that cannot be. */
type MergeRules = { readonly by: string; readonly onConflict: 'ask' | 'agent' };

/** What follows from that: a human is asked, or the task goes to an agent again. Nothing if somebody has decided meanwhile. */
export function stuckCandidates(
  sprint: SprintState,
  task: TaskState,
  stuck: Stuck,
  { by, onConflict }: MergeRules,
): Candidate[] {
  const { worktree } = task;
  if (mergeOf(task) !== 'due') return [];
  const isForAgent = stuck.why === 'conflict' || stuck.why === 'verify';
  if (isForAgent && onConflict === 'agent' && (worktree?.rounds ?? 0) < MOST_ROUNDS)
    return [
      { type: 'worktree.settled', subject: subjectOf(sprint.id, task.id), data: { how: 'agent', by } },
      ...reopened(sprint, task, { by, text: noteFor(task, stuck) }),
    ];
  const requestId = newRequestId();
  const { why, reason, files, context, isTrouble } = stuck;
  return [
    {
      type: 'help.requested',
      subject: sprint.id,
      data: {
        requestId,
        kind: 'help',
        task: task.id,
        question:
          `The changes of task ${task.id} cannot be merged${worktree ? ` into ${worktree.into}` : ''}: ${reason}`.slice(
            0,
            2_000,
          ),
        reason: whereOf(sprint.id, task, stuck),
        ...(context === undefined ? {} : { context: context.slice(0, MAX_TEXT_LENGTH) }),
        options:
          why === 'landing' || isTrouble === true
            ? [mergeAnswers.again, mergeAnswers.drop]
            : Object.values(mergeAnswers),
        origin: { agent: by },
      },
    },
    {
      type: 'worktree.stuck',
      subject: subjectOf(sprint.id, task.id),
      data: { requestId, why, reason: reason.slice(0, MAX_TEXT_LENGTH), files: [...files] },
    },
  ];
}

/** Where the changes are, or what a human can do where there is no worktree. */
function whereOf(stream: string, task: TaskState, { kept, remedy }: Stuck): string {
  const { worktree, offer } = task;
  if (worktree) return kept === undefined ? placeOf(stream, task, worktree) : remedyOf(worktree, kept);
  const { worker = 'unknown', sha = '' } = offer ?? {};
  const pushed = `Worker ${worker} has pushed the changes, as commit ${sha.slice(0, 12)}: nothing of them is lost`;
  return remedy === undefined ? pushed : `${remedy}. ${pushed}`;
}

/** What a human can do about a worktree that is gone. */
function remedyOf({ path, branch, base }: WorktreeState, kept: 'branch' | 'nothing'): string {
  const again = `git worktree add ${path} ${branch}`;
  return kept === 'branch'
    ? `What was committed is on the branch ${branch}. To merge that, make the worktree again with: ${again}`
    : `If git still has its last commit (git fsck --lost-found names it), make the branch again with: git branch ${branch} <commit>, and the worktree with: ${again}. It began at ${base.slice(0, 12)}`;
}

/** Where the changes are: in the worktree; before it could be made, where the worker that had the task has made them. */
function placeOf(
  stream: string,
  { id, offer }: Pick<TaskState, 'id' | 'offer'>,
  { path, branch, phase }: WorktreeState,
): string {
  if (phase !== 'claimed' || offer?.branch === undefined)
    return `The changes are in ${path}, the worktree of the branch ${branch}. Nothing of them is lost`;
  const folder = worktreePath(TASK_CHECKOUTS, stream, id);
  return (
    `Worker ${offer.worker ?? 'unknown'} has the changes: in ${folder} below its folder, on the branch ${offer.branch}. ` +
    'Where origin lacks that branch, push it from there; then try again'
  );
}

/** What follows from what a human said. Nothing as long as nobody has said anything. */
export function settledCandidates(sprint: SprintState, task: TaskState, by: string): Candidate[] {
  const stuck = stuckOf(task);
  if (!stuck) return [];
  const request = sprint.requests.get(stuck.requestId);
  if (request?.phase === 'open') return [];
  const subject = subjectOf(sprint.id, task.id);
  const { how: meant, words } = meaningOf(request);
  // Without a worktree there is nothing in which an agent could go on.
  const how = meant === 'agent' && !task.worktree ? 'again' : meant;
  const who = request?.answer?.by ?? by;
  const { requestId } = stuck;
  const settled: Candidate = { type: 'worktree.settled', subject, data: { requestId, how, by: who } };
  const delivered: Candidate[] =
    request?.phase === 'answered'
      ? [{ type: 'help.delivered', subject: sprint.id, data: { requestId, to: by } }]
      : [];
  if (how === 'again') return [settled, ...delivered];
  if (how === 'drop')
    return [
      { type: 'task.reopened', subject, data: { by: who, reason: stuck.reason } },
      { type: 'task.skipped', subject, data: { by: who, reason: 'its changes were given up' } },
      settled,
      ...delivered,
    ];
  const said = words === undefined ? '' : `\n\nA human says about it: ${words}`;
  const text = `${noteFor(task, { ...stuck, files: [] })}${said}`;
  return [settled, ...reopened(sprint, task, { by: who, text }), ...delivered];
}

function meaningOf(request: RequestState | undefined): {
  how: 'agent' | 'again' | 'drop';
  words?: string;
} {
  const { answer } = request ?? {};
  // Nobody has decided anything: it may go by now.
  if (!answer || answer.rejected) return { how: 'again' };
  const words = answer.response;
  if (words === mergeAnswers.again) return { how: 'again' };
  if (words === mergeAnswers.drop) return { how: 'drop' };
  return words === mergeAnswers.agent ? { how: 'agent' } : { how: 'agent', words };
}

function reopened(
  sprint: SprintState,
  task: TaskState,
  { by, text }: { readonly by: string; readonly text: string },
): Candidate[] {
  const subject = subjectOf(sprint.id, task.id);
  return [
    { type: 'task.reopened', subject, data: { by, reason: 'its changes could not be merged' } },
    { type: 'note.sent', subject, data: { noteId: newNoteId(), text, by, via: 'log' } },
  ];
}

/** What the agent is told that goes on with a task. */
function noteFor(
  { worktree }: Pick<TaskState, 'worktree'>,
  { why, reason, files }: Pick<Stuck, 'why' | 'reason' | 'files'>,
): string {
  const into = worktree?.into ?? 'its branch';
  const named = files.length > 0 ? ` (${listed(files)})` : '';
  const last = 'Then complete the task again.';
  switch (why) {
    case 'conflict':
      return (
        `Your changes cannot be merged into ${into} as they are: ${reason}. ${into} was merged into your branch in this ` +
        `worktree, and git has marked what is in conflict${named}. Decide each so that both changes keep their meaning, ` +
        `git add these files and do not commit. ${last}`
      );
    case 'verify':
      return `${into} has changed meanwhile and was merged into your branch; with that, ${reason}. Put it right. ${last}`;
    default:
      return `Your changes could not be taken over: ${reason}. Put that right. ${last}`;
  }
}
