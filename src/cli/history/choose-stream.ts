import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { findSprintFolder, listSprintFolders } from '../../workflow/sprint/sprint-folders.ts';

/**
 * The stream whose history a person means: by id or folder name, or, without a name, that of the
 * latest sprint. `adhoc` is one, too.
 *
 * @throws {CliffordError} `SPRINT_UNKNOWN`, or `NO_HISTORY` when nothing has happened yet.
 */
export async function chooseStream(project: Project, name: string | undefined): Promise<string> {
  const { streams } = project.state;
  if (name === undefined) return latest(streams.values()).id;
  if (streams.has(name)) return name;
  if (name === ADHOC_STREAM)
    throw noHistory(
      'nobody has asked outside of a sprint',
      'See what happened in the latest sprint with: clifford replay',
    );
  const { id } = findSprintFolder(await listSprintFolders(project.root), name).manifest;
  if (streams.has(id)) return id;
  throw noHistory(`sprint ${id} has not been run yet`, `Run it with: clifford run ${id}`);
}

function latest(streams: readonly SprintState[]): SprintState {
  const sprints = streams.filter(({ id }) => id !== ADHOC_STREAM);
  const [first, ...others] = sprints.length > 0 ? sprints : streams;
  if (!first) throw noHistory('the log has no events', 'Run a sprint first: clifford run');
  return others.reduce((a, b) => ((b.lastEventAt ?? '') > (a.lastEventAt ?? '') ? b : a), first);
}

function noHistory(reason: string, fix: string): CliffordError {
  return new CliffordError(`Cannot find a history: ${reason}`, { code: 'NO_HISTORY', fix });
}
