import { eventText } from '../../views/events/event-text.ts';
import { eventTitle } from '../../views/events/event-title.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { describeScreen } from '../../views/sprints/sprint-view.ts';
import { taskAbout } from '../../views/sprints/task-about.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import { howClosed } from '../text/how-closed.ts';
import type { ArrivedAt, PastMoment } from './past.ts';

/** A moment of a stream as a screen shows it, with what became of its questions by now. */
export function arrivedAt(
  moment: Moment,
  cursor: HistoryCursor,
  { project, stream }: { readonly project: Project; readonly stream: string },
): Omit<ArrivedAt, 'found' | 'isBeginning'> {
  const sprint = describeScreen(moment.state, stream, (task) => workFolder(project, task));
  const outcomes = new Map(
    sprint.open.flatMap(({ id }) => {
      const request = requestById(project.state, id);
      return request && request.phase !== 'open' ? [[id, howClosed(request)] as const] : [];
    }),
  );
  return {
    moment: viewOf(moment, cursor, { root: project.root, sprint: moment.state.streams.get(stream) }),
    sprint,
    index: cursor.index,
    outcomes,
  };
}

function viewOf(
  { event }: Moment,
  { index, length }: HistoryCursor,
  { root, sprint }: { readonly root: string; readonly sprint: SprintState | undefined },
): PastMoment {
  const { streamversion: version } = event;
  const at = index.timeOf(version);
  const task = taskAbout(event, sprint);
  return {
    version,
    length,
    at,
    // The clock may have been set back between them.
    afterMs: version === 1 ? 0 : Math.max(0, at - index.timeOf(version - 1)),
    title: eventTitle(event),
    text: eventText(event, sprint, { folder: workFolder({ root }, sprint?.tasks.get(task ?? '')) }),
    task,
    mark: index.markAt(version),
  };
}
