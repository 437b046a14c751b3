import { tryHold } from '../../lib/files/kernel-lock.ts';
import { keptText } from '../../events/descriptors/worktree-events.ts';
import { subjectOf } from '../../events/envelope.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { uncommittedReason } from '../../workflow/git/uncommitted.ts';
import { isMirror } from '../../workflow/log/mirror-log.ts';
import { logFile } from '../../workflow/project/project-log.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { runnerLockPath } from '../../workflow/project/runner-lock.ts';
import type { Project } from '../../workflow/project/project.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import { findSprintFolder, listSprintFolders } from '../../workflow/sprint/sprint-folders.ts';
import { cleanPlan, type CleanEntry } from '../../workflow/worktree/clean-plan.ts';
import { leftWorktrees } from '../../workflow/worktree/left-worktrees.ts';
import { sweepNotes } from '../../workflow/worktree/sweep-notes.ts';
import { keptWork, type KeptWork } from '../../workflow/worktree/kept-work.ts';
import { dropWorktree } from '../../workflow/worktree/drop-worktree.ts';
import { recordRemoved, removeWorktree } from '../../workflow/worktree/remove-worktree.ts';
import { mendWorktreeNotes, refuseUnreadable } from '../../workflow/worktree/worktree-notes.ts';
import { CliffordError } from '../../errors.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';

type Order = {
  readonly dryRun?: true;
  readonly drop?: readonly string[];
  readonly sprint?: string;
  readonly json?: true;
};

/** What became of one worktree, or would. */
type Outcome = Pick<CleanEntry, 'stream' | 'taskId' | 'why'> & {
  readonly path: string;
  /** `undefined`: none is checked out in it. */
  readonly branch: string | undefined;
  readonly is: 'removed' | 'left' | 'goes' | 'stays';
};

/** Removes the worktrees that may go, and tells of each what becomes of it. */
export async function clean(cli: Cli, { dryRun, drop = [], sprint, json }: Order): Promise<void> {
  await withProject(cli, async (project) => {
    const { signal } = new AbortController();
    if (!dryRun) requireHuman(cli, 'remove worktrees', project);
    // What is removed has to be said, and a mirror takes no word: before, and not after it is gone.
    if (!dryRun && project.mirror) throw isMirror(logFile(project.dir), project.mirror);
    if (drop.length > 0 && dryRun) throw dropOnly();
    const outcomes: Outcome[] = [];
    for (const taskId of drop) {
      const only = sprint ?? onlySprintWith(project, taskId);
      const stream = await enterChosenSprint(project, only, { task: taskId });
      await alone(project, stream, async () => {
        const { left, isSkipped } = await dropWorktree(project, { stream, taskId, by: cli.by });
        if (isSkipped)
          cli.note(
            `${visibleLine(taskId)} is skipped with that. Before the next run of its sprint it can be had done anew with: clifford retry ${printedWord(taskId)} --sprint ${printedWord(stream)}`,
          );
        if (!left) return;
        const { path, branch } = left;
        outcomes.push({ stream, taskId, path, branch, is: 'left', why: LEFT });
      });
    }
    const only =
      sprint === undefined
        ? undefined
        : findSprintFolder(await listSprintFolders(project.root), sprint).manifest.id;
    if (hasWorktrees(project)) await (dryRun ? refuseUnreadable : mendWorktreeNotes)(project, signal);
    const plan = await cleanPlan(project, { only, signal });
    for (const entry of plan)
      outcomes.push(await carryOut(project, entry, { dryRun: dryRun === true, signal }));
    const held = new Set(plan.filter(({ isHeld }) => isHeld).map(subjectOfEntry));
    const droppable = outcomes.find(
      (outcome) => outcome.is === 'stays' && !held.has(subjectOfEntry(outcome)),
    );
    const { config } = await readConfig({ root: project.root, env: cli.env, configMemory: cli.configMemory });
    const left = await leftWorktrees(project, { dir: config.worktrees.dir, only, signal });
    outcomes.push(...left.map((each): Outcome => ({ ...each, is: 'stays' })));
    const kept = await keptWork(project, { only, signal });
    if (!dryRun) await sweepNotes(project);
    if (json) cli.print(JSON.stringify({ worktrees: outcomes, kept }));
    else {
      const none = outcomes.length === 0 ? ['No task has a worktree'] : [];
      const lines = outcomes.map((outcome) => lineOf(cli, outcome));
      const giveUp = droppable ? [giveUpLine(droppable)] : [];
      cli.print([...none, ...lines, ...giveUp, ...kept.map((each) => keptLine(cli, each))].join('\n'));
    }
  });
}

const LEFT =
  'nobody waits for its machine any more; what is in it and in no commit elsewhere is lost with that, or named by clean there as of before';

async function carryOut(
  project: Project,
  { stream, taskId, worktree, goes, why }: CleanEntry,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<Outcome> {
  const { path, branch } = worktree;
  const about = { stream, taskId, path, branch, why };
  if (!goes) return { ...about, is: 'stays' };
  if (dryRun) return { ...about, is: 'goes' };
  try {
    await alone(project, stream, async () => {
      const sha = await removeWorktree(project, { stream, taskId, worktree, signal });
      await recordRemoved(project, { stream, taskId, worktree }, sha);
    });
    return { ...about, is: 'removed' };
  } catch (error) {
    return { ...about, is: 'stays', why: uncommittedReason(error) };
  }
}

function hasWorktrees({ state }: Project): boolean {
  return [...state.streams.values()].some(({ tasks }) =>
    [...tasks.values()].some(({ worktree }) => worktree),
  );
}

/** The sprint with a worktree of this task; `undefined`: none has one, or several have. */
function onlySprintWith({ state }: Project, taskId: string): string | undefined {
  const streams = [...state.streams.values()].filter(({ tasks }) => tasks.get(taskId)?.worktree);
  return streams.length === 1 ? streams[0]?.id : undefined;
}

/** How to remove one that stays, where it is not wanted. */
function giveUpLine({ stream, taskId }: Outcome): string {
  return `To give up what is in one: clifford clean --drop ${printedWord(taskId)} --sprint ${printedWord(stream)}`;
}

function subjectOfEntry({ stream, taskId }: Pick<Outcome, 'stream' | 'taskId'>): string {
  return subjectOf(stream, taskId);
}

/** Does it while no runner can begin on the sprint. */
async function alone(project: Project, stream: string, work: () => Promise<void>): Promise<void> {
  const lock = tryHold(runnerLockPath(project.dir, stream));
  if (!lock)
    throw new CliffordError(`Cannot remove worktrees of sprint ${stream}: a run is at work on it`, {
      code: 'SPRINT_RUNNING',
      fix: `Stop it with: clifford stop ${stream}`,
      recovery: 'give-up',
    });
  try {
    await work();
  } finally {
    lock.release();
  }
}

function lineOf({ style }: Cli, { is, stream, taskId, path, branch, why }: Outcome): string {
  const on = branch === undefined ? 'on no branch' : `branch ${visibleLine(branch)}`;
  const word = is === 'stays' ? style('yellow', is) : style('green', is);
  return `${word} ${style('bold', visibleLine(subjectOf(stream, taskId)))}: ${visibleLine(why)} (${visibleLine(path)}, ${on})`;
}

/** Where work is that was in no commit when a worktree was put back or removed. */
function keptLine({ style }: Cli, { stream, taskId, ref, why }: KeptWork): string {
  const forget = `git update-ref -d ${ref} forgets it`;
  return `${style('yellow', 'kept')} ${style('bold', visibleLine(subjectOf(stream, taskId)))}: ${visibleLine(`${why}: ${keptText(ref)}, ${forget}`)}`;
}

function dropOnly(): CliffordError {
  return new CliffordError('Cannot use --drop together with --dry-run: one of them changes something', {
    code: 'OPTIONS_UNCLEAR',
    fix: 'Leave one of the two out',
  });
}
