import { CliffordError } from '../../errors.ts';
import { parallelSettings } from '../../workflow/config/parallel-settings.ts';
import { Git } from '../../workflow/git/git.ts';
import { headOf } from '../../workflow/git/repository.ts';
import { uncommitted } from '../../workflow/git/uncommitted.ts';
import type { Job } from '../../events/queue/job-queue.ts';
import { parseLabels } from '../../workflow/queue/label.ts';
import type { SprintShare } from '../jobs/sharing.ts';
import type { AgreedFiles } from './agree-to-files.ts';
import type { JobDeps } from './worker-deps.ts';

/** What a worker has of a sprint, and how it reaches others with it. */
type SprintAtHand = {
  readonly files: AgreedFiles;
  readonly root: string;
  readonly push: (signal: AbortSignal) => Promise<void>;
  readonly fetch: (signal: AbortSignal) => Promise<void>;
};

/**
 * How the tasks of a sprint are shared with other workers. `undefined`: they are not, since it wants one task after the other, or nothing
 * that is made could be fetched and pushed.
 *
 * @throws {CliffordError} `LABEL_INVALID`, `NEEDS_UNMET`.
 */
export function shareSprint(
  { commands, labels, worker, queue }: JobDeps,
  job: Job,
  { files, root, push, fetch }: SprintAtHand,
): SprintShare | undefined {
  const { agreed, wantsCommit } = files;
  const { manifest } = agreed.folder;
  const needs = new Map(
    manifest.tasks.map(({ id, needs: said }) => [
      id,
      said === undefined
        ? []
        : parseLabels(`needs of task ${id} in the manifest of sprint ${job.sprint}`, said),
    ]),
  );
  const foreign = new Set(
    [...needs].flatMap(([id, all]) => (all.every((need) => labels.includes(need)) ? [] : [id])),
  );
  const { parallel } = parallelSettings({ root, env: files.env }, agreed.reading, { folder: agreed.folder });
  const total = parallel.value;
  const isReachable = commands.fetch !== undefined && commands.push !== undefined;
  const alone = [...foreign].find((id) => !isReachable || !wantsCommit(id));
  if (alone !== undefined) throw needsUnmet(alone, needs.get(alone) ?? []);
  if (!isReachable || (total === 1 && foreign.size === 0)) return undefined;
  const sharable = new Set(manifest.tasks.map(({ id }) => id).filter(wantsCommit));
  let pushed: string | undefined;
  const keyOf = (task: string) => ({ sprint: job.sprint, task });
  return {
    rules: { as: 'owner', total, sharable, foreign },
    sharing: {
      worker,
      needsOf: (id) => [...new Set([...job.needs, ...(needs.get(id) ?? [])])].toSorted(),
      fetch,
      push: async (signal) => {
        const base = await headOf(new Git({ cwd: root, env: {}, signal }));
        if (base === undefined) throw uncommitted('the repository has no commit yet', 'Make the first one');
        if (base !== pushed) await push(signal);
        pushed = base;
        return base;
      },
      add: async (id, all) => {
        try {
          const at = new Date().toISOString();
          await queue.add({ ...keyOf(id), needs: all, lane: 'first', by: worker, at });
        } catch (error) {
          if (!isCode(error, 'SPRINT_QUEUED')) throw error;
        }
      },
      remove: async (id) => {
        try {
          await queue.cancel(job.sprint, id);
        } catch (error) {
          if (!isCode(error, 'SPRINT_NOT_QUEUED')) throw error;
        }
      },
    },
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof CliffordError && error.code === code;
}

function needsUnmet(task: string, needs: readonly string[]): CliffordError {
  return new CliffordError(
    `Cannot have task ${task} done by another worker, one with ${needs.join(', ')}: what it makes would stay there`,
    {
      code: 'NEEDS_UNMET',
      fix: 'Have its work committed ("commit": true), and name commands that fetch and push; or run the sprint on a worker with these labels',
    },
  );
}
