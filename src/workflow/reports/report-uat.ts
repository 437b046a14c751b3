import { isDeepStrictEqual } from 'node:util';
import { subjectOf } from '../../events/envelope.ts';
import type { UatReport } from '../../machines/task-state.ts';
import type { Project } from '../project/project.ts';
import { requireTask } from '../task/require-task.ts';

/**
 * Records what a finished task changed and how a human checks it, for `uat.md`. The same report again is a
 * success without an event; the file is made anew if it is gone.
 *
 * @throws {CliffordError} `TASK_UNKNOWN`
 */
export async function reportUat(
  project: Project,
  { stream, taskId, ...report }: Omit<UatReport, 'at'> & { stream: string; taskId: string },
): Promise<void> {
  // The log keeps no secrets: a report that holds one is known again as the log has it.
  const { asLogged } = project;
  const logged = {
    title: asLogged(report.title),
    changes: asLogged(report.changes),
    steps: report.steps.map(asLogged),
  };
  const stored = await project.dispatch(stream, (state) => {
    const { task } = requireTask(state, { stream, taskId });
    const { at: _at, ...last } = task.uat ?? { at: '' };
    if (isDeepStrictEqual(last, logged)) return [];
    return [{ type: 'uat.reported', subject: subjectOf(stream, taskId), data: logged }];
  });
  if (stored.length === 0) await project.writeProjections(stream);
}
