import { subjectOf } from '../../events/envelope.ts';
import { spanText } from '../../lib/time/duration.ts';
import { terminate, terminateDescendants } from '../../lib/processes/terminate.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/run-id-variable.ts';
import { removeRunFiles } from './left-run-files.ts';
import { findMarked, type Orphan } from './orphans.ts';

/** Of which sprint, by whom, as in `its runner was gone: … ended it`, and how long what lives may take to end, in ms. */
type EndOrphans = {
  readonly stream: string;
  readonly by: string;
  readonly graceMs?: number | undefined;
  /** For how long nothing was heard of the worker that had a task, in ms: whether it lives is not known. Default: its runner is gone. */
  readonly silentMs?: ((taskId: string) => number | undefined) | undefined;
  /** Throws where by this state the attempts are not the caller's to judge: somebody may have taken the sprint up while one was ended. */
  readonly assertFree?: ((state: ProjectState) => void) | undefined;
};

/**
 * Ends attempts that an earlier runner left behind, and records them as lost. The caller holds the sprint's lock.
 *
 * @returns what of their files could not be removed, a line each.
 * @throws {CliffordError} `AGENT_SURVIVES`; what `assertFree` throws.
 */
export async function endOrphans(
  project: Project,
  orphans: readonly Orphan[],
  { stream, by, graceMs, silentMs, assertFree }: EndOrphans,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { taskId, runId, targets } of orphans) {
    if (targets.length > 0) await terminate(targets, graceMs === undefined ? {} : { graceMs });
    await terminateDescendants(() => findMarked(RUN_ID_VARIABLE, runId));
    problems.push(...removeRunFiles(project.dir, runId));
    const silence = silentMs?.(taskId);
    const why =
      silence === undefined
        ? 'its runner was gone'
        : `nothing was heard of its worker for ${spanText(silence)}`;
    const fate =
      targets.length > 0 ? `: ${by} ended it` : silence === undefined ? ', and so was the agent' : '';
    const subject = subjectOf(stream, taskId);
    await project.dispatch(stream, (state) => {
      assertFree?.(state);
      const { agent, machine } = state.streams.get(stream)?.tasks.get(taskId) ?? {};
      if (agent?.runId !== runId && machine?.context.runId !== runId) return [];
      return [{ type: 'agent.lost', subject, data: { runId, reason: `${why}${fate}` } }];
    });
  }
  return problems;
}
