import { basename } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { ReportMaker } from '../../views/sprints/sprint-report.ts';
import { version } from '../../version.ts';
import { reportHtml } from '../../web/report/report-html.tsx';
import { uncommittedChanges } from '../../workflow/commit/uncommitted-changes.ts';
import { historyOf, outsideOf } from '../../workflow/history/history-of.ts';
import type { Until } from '../../workflow/history/until.ts';
import { isBeingRun } from '../../workflow/queue/worker-of.ts';
import type { Project } from '../../workflow/project/project.ts';
import { titlesOfTasks } from '../../workflow/task/task-titles.ts';

/**
 * The report of a sprint until a moment, as HTML, and of how many events it is made.
 *
 * @throws {CliffordError} `NO_HISTORY`: nothing had happened by then.
 */
export async function makeReport(
  project: Project,
  stream: string,
  until: Until | undefined,
): Promise<{ readonly html: string; readonly events: number; readonly isPast: boolean }> {
  const maker = new ReportMaker(stream);
  let events = 0;
  for await (const { event, state } of historyOf(project, stream, until)) {
    maker.take(event, state);
    events = event.streamversion;
  }
  if (events === 0 && until) throw nothingBy(await outsideOf(project, stream, until));
  const isPast = events < (project.state.streams.get(stream)?.version ?? 0);
  // What files had in them then, no log has.
  const isAsked = !isPast && maker.commits === 0;
  const uncommitted = isAsked ? await uncommittedChanges(project, stream) : undefined;
  const report = maker.report({
    titles: await titlesIn(project, stream),
    uncommitted,
    isPast,
    hasRunner: isPast ? undefined : isBeingRun(project, stream),
  });
  const madeBy = { version, at: new Date().toISOString(), project: basename(project.root) };
  return { html: reportHtml(report, madeBy), events, isPast };
}

function nothingBy(why = 'nothing had happened by then'): CliffordError {
  return new CliffordError(`Cannot find a history: ${why}`, {
    code: 'NO_HISTORY',
    fix: 'Name a later moment with --until',
  });
}

async function titlesIn({ root, state }: Project, stream: string): Promise<ReadonlyMap<string, string>> {
  const { manifest, tasks } = state.streams.get(stream) ?? {};
  const titles = new Map<string, string>();
  for await (const some of titlesOfTasks(root, { manifest, tasks: tasks?.values() ?? [] }))
    for (const [id, title] of some) titles.set(id, title);
  return titles;
}
