import { CliffordError } from '../../errors.ts';
import { createSprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { summariseAll, type SprintSummary } from '../../views/sprints/sprint-summary.ts';
import { uncommittedChanges } from '../../workflow/commit/uncommitted-changes.ts';
import { retryTasks } from '../../workflow/sprint/control.ts';
import type { Project } from '../../workflow/project/project.ts';
import { notRecorded } from '../text/not-recorded.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import type { LeftBecause, RunOver, ShowSprintOptions } from '../screen/show-sprint-options.ts';

type FollowDeps = Pick<ShowSprintOptions, 'project' | 'stream' | 'by' | 'ended' | 'runAgain' | 'signal'> & {
  readonly leave: (because: LeftBecause) => void;
  readonly fail: (error: unknown) => void;
  /** Tells the screen at once what has happened. */
  readonly tell: () => void;
  /** Resolves when that is drawn. */
  readonly drawn: () => Promise<void>;
  /** Aborts when the screen is left. */
  readonly over: AbortSignal;
};

/** The run behind a screen. */
export type FollowedRun = {
  /** It is over, and the screen shows how it ended. */
  readonly isOver: () => boolean;
  /** Something was decided: a run that is over goes on, if the sprint has not ended. */
  readonly decided: () => void;
  /** Runs it again, once it is over, and retries what failed before that. */
  readonly runAgain: (retries: boolean) => void;
};

/** Shows how a run ends, once it does, and leaves the screen then, unless it stays. */
export function followRun(
  actor: ScreenActor,
  { project, stream, by, ended, runAgain, signal, leave, fail, tell, drawn, over }: FollowDeps,
): FollowedRun {
  const isStopping = () => actor.getSnapshot().context.isStopping;
  const isOver = () => actor.getSnapshot().context.summary !== undefined;
  const end = async ({ stays }: RunOver) => {
    await project.refresh();
    tell();
    if (stays && !isStopping()) {
      const summary = await summaryOf(project, stream);
      if (!over.aborted) actor.send({ type: 'over', summary });
      if (!signal?.aborted) return;
    }
    await drawn();
    leave(isStopping() ? 'stopped' : 'ended');
  };
  const again = () => {
    if (!runAgain || !isOver()) return;
    actor.send({ type: 'runs' });
    runAgain().then(end).catch(fail);
  };
  ended?.then(end).catch(fail);
  signal?.addEventListener('abort', () => {
    if (isOver()) leave('ended');
  });
  return {
    isOver,
    decided: () => {
      const isDone = wordOf(project.state.streams.get(stream)?.machine.value ?? 'pending') === 'done';
      if (isOver() && !isDone) again();
    },
    runAgain: (retries) => {
      if (!retries) return again();
      retryTasks(project, { stream, by }).then(again, (error: unknown) => {
        if (!(error instanceof CliffordError)) return fail(error);
        const why = notRecorded(error);
        const text = why === undefined ? error.inOneLine : `${why}, then press the key again`;
        actor.send({ type: 'told', notice: { tone: 'warning', text } });
      });
    },
  };
}

/** What a sprint took, from its whole history. */
function summaryOf(project: Project, stream: string): Promise<SprintSummary> {
  const sprint = project.state.streams.get(stream) ?? createSprintState(stream);
  return summariseAll(sprint, {
    read: project.log.read({ stream }),
    lookAtFiles: () => uncommittedChanges(project, stream),
  });
}
