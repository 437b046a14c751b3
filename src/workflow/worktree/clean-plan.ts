import { existsSync } from 'node:fs';
import { count } from '../../lib/text/count.ts';
import { printedWord, shellWord } from '../../lib/text/shell-word.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import { detailOf, nameOf, plainWordOf, wordOf } from '../../machines/status-words.ts';
import { Git } from '../git/git.ts';
import { hasBranch, refOf } from '../git/repository.ts';
import { uncommittedReason } from '../git/uncommitted.ts';
import type { Project } from '../project/project.ts';
import { isRunnerAtWork } from '../project/runner-lock.ts';
import type { KeepingProject } from './keeper.ts';
import { requireWhole } from './require-whole.ts';
import { worktreeFolder } from './work-folder.ts';
import { isMadeElsewhere } from './worktree-claims.ts';
import { contentText } from './content-text.ts';
import { openWorktree } from './open-worktree.ts';
import type { TaskWorktree } from './task-worktree.ts';

/** What becomes of one worktree when somebody cleans up, and why. */
export type CleanEntry = {
  readonly stream: string;
  readonly taskId: string;
  readonly worktree: WorktreeState;
  readonly goes: boolean;
  readonly why: string;
  /** It stays for something that somebody has to see to first, and not for what is in it. */
  readonly isHeld?: boolean;
};

type Order = {
  readonly only?: string | undefined;
  readonly signal: AbortSignal;
};

/** Every worktree of the project's tasks that the log knows: which may go, and why the others stay. Changes nothing. */
export async function cleanPlan(
  project: KeepingProject & Pick<Project, 'isShared'>,
  { only, signal }: Order,
): Promise<CleanEntry[]> {
  const entries: CleanEntry[] = [];
  for (const sprint of project.state.streams.values())
    for (const task of sprint.tasks.values()) {
      const { worktree } = task;
      if (!worktree || (only !== undefined && sprint.id !== only)) continue;
      const look = isMadeElsewhere(project, worktree) ? elsewhere : fateOf;
      const said = await look(project, { sprint, task, worktree, signal }).catch(heldBy);
      entries.push({ stream: sprint.id, taskId: task.id, worktree, ...said });
    }
  return entries;
}

/** One that cannot be looked at keeps no other. */
function heldBy(error: unknown): Fate {
  return { goes: false, why: uncommittedReason(error), isHeld: true };
}

type Fate = Pick<CleanEntry, 'goes' | 'why' | 'isHeld'>;

type Look = {
  readonly sprint: SprintState;
  readonly task: TaskState;
  readonly worktree: WorktreeState;
  readonly signal: AbortSignal;
};

/** The log knows that one alone; at its path here git may know one of before, with somebody's work in it. */
async function elsewhere(project: KeepingProject, look: Look): Promise<Fate> {
  const { sprint, task, worktree, signal } = look;
  const isDropped = worktree.phase === 'dropped';
  const why = isDropped
    ? `it was given up, and goes when a run or clean comes upon it where it was made (where that machine is lost, this takes it off the list: clifford clean --drop ${printedWord(task.id)} --sprint ${printedWord(sprint.id)})`
    : 'it was not made from this folder: clean up where it was';
  const isHeld = isDropped || sprint.job !== undefined;
  const folder = worktreeFolder(project, { worktree });
  if (folder === undefined || !existsSync(folder)) return { goes: false, why, isHeld };
  const there = await openWorktree(project, { stream: sprint.id, taskId: task.id, worktree }, signal);
  if (!(await there.isThere()))
    return { goes: false, why: `${why}; what is at its path here is nothing that git knows`, isHeld };
  const git = new Git({ cwd: folder, env: {}, signal });
  // Its branch may be another one than that of which the log knows, and the one that it is for may not be here.
  const ahead = (await hasBranch(git, worktree.into))
    ? Number(await git.read(['rev-list', '--count', `${refOf(worktree.into)}..HEAD`]))
    : 0;
  const left = await there.work();
  const parts = [
    ...(ahead > 0 ? [`${count(ahead, 'commit')} that ${worktree.into} has not`] : []),
    ...(left.length > 0 ? [`${count(left.length, 'changed file')} that no commit has`] : []),
  ];
  const content = parts.length > 0 ? `, with ${parts.join(' and ')}` : '';
  const remove = `git worktree remove ${shellWord(folder)}`;
  return {
    goes: false,
    why: `${why}; git knows one of before, or of another checkout of this repository, at its path here${content}: look at it, and remove it with ${remove}`,
    isHeld,
  };
}

async function fateOf(project: KeepingProject, look: Look): Promise<Fate> {
  const { sprint, task, worktree, signal } = look;
  if (sprint.job !== undefined || isRunnerAtWork(project.dir, sprint.id))
    return { goes: false, why: 'a run is at work on its sprint', isHeld: true };
  await requireWhole(project, worktree, { signal, withTarget: worktree.phase !== 'dropped' });
  const git = await openWorktree(project, { stream: sprint.id, taskId: task.id, worktree }, signal);
  const fate = await fateByContent(git, look);
  if (fate.goes) await git.requireRemovable();
  return fate;
}

async function fateByContent(git: TaskWorktree, { sprint, task, worktree }: Look): Promise<Fate> {
  const { left, ahead } = await contentOf(git, worktree);
  if (worktree.phase === 'dropped') {
    const kept = left > 0 ? `; its ${contentText({ left, ahead: 0 })} are kept` : '';
    return { goes: true, why: `it was given up${kept}` };
  }
  if (worktree.phase === 'claimed' && left + ahead === 0)
    return { goes: true, why: 'it was not ready for work yet' };
  if (worktree.phase === 'merged') {
    const why = `its changes are in ${worktree.into}`;
    return left + ahead === 0
      ? { goes: true, why }
      : { goes: false, why: `${why}, but ${contentText({ left, ahead })} since` };
  }
  const word = wordOf(task.machine.value);
  const detail = detailOf(task.machine.value);
  const isOver = word === 'done' && detail !== 'completed' && detail !== 'failed';
  if (isOver && left + ahead === 0)
    return { goes: true, why: `${plainWordOf(word, detail)}, and nothing is in it` };
  const content = left + ahead === 0 ? '' : `, ${contentText({ left, ahead })}`;
  return { goes: false, why: `${stayOf(sprint, task)}${content}` };
}

function stayOf(sprint: SprintState, task: TaskState): string {
  const { value } = task.machine;
  if (task.worktree?.phase === 'stuck') {
    const { requestId } = task.worktree.stuck ?? {};
    return `it could not be merged, a human is asked (${requestId})`;
  }
  switch (nameOf(value)) {
    case 'done.completed':
      return wordOf(sprint.machine.value) === 'done' ? 'it was never merged' : 'it is merged by the next run';
    case 'done.failed':
      return 'its task failed, the next run goes on in it';
    case 'done.skipped':
    case 'done.cancelled':
      return `its task was ${detailOf(value)}, and it is not merged`;
    default:
      return `its task is ${plainWordOf(wordOf(value), detailOf(value))}, the next run goes on in it`;
  }
}

/** How many files of it no commit has, and how many commits of its branch the branch does not have that it is for. */
async function contentOf(
  git: TaskWorktree,
  { phase, into }: WorktreeState,
): Promise<{ readonly left: number; readonly ahead: number }> {
  const left = await git.work();
  const tip = await git.tip();
  return {
    left: left.length,
    ahead: tip === undefined || phase === 'dropped' ? 0 : await git.commitsAhead(into),
  };
}
