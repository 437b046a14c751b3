import { describeSprint } from '../../views/sprints/describe-sprint.ts';
import type { ScreenLook } from '../../tui/terminal/screen-look.ts';
import type { RunEnd } from '../../runner/sprint/run-end.ts';
import type { SprintRunnerOptions } from '../../runner/sprint/sprint-runner.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { withoutNotifySecrets } from '../../workflow/config/notify-secrets.ts';
import type { Cli } from '../cli.ts';
import type { MetricsPlace } from '../../metrics/metrics-server.ts';
import type { PageOrder } from '../web/open-page.ts';
import type { Project } from '../../workflow/project/project.ts';
import { askedText } from '../../views/requests/asked-text.ts';
import { doneRemarks } from '../../views/sprints/done-facts.ts';
import { setAsideText } from '../../views/requests/set-aside-text.ts';
import { progressText } from '../../views/sprints/progress.ts';
import { detailOf } from '../../machines/status-words.ts';
import type { ApprovalVerdict } from '../../events/approval.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { asChanged } from '../../views/calls/as-changed.ts';
import { FailedCalls } from '../../views/calls/failed-calls.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** What `clifford run` was told to do. */
export type RunOrder = {
  /** Absolute; has a `.clifford/`. */
  readonly root: string;
  readonly sprint: string | undefined;
  /** Leave the screen when the run is over. */
  readonly exits?: boolean | undefined;
  /** Serve the page meanwhile, so. */
  readonly page?: PageOrder | undefined;
  /** Serve metrics meanwhile, there. */
  readonly metrics?: MetricsPlace | undefined;
  /** How the screen looks, where there is one. Default: as the environment says. */
  readonly look?: ScreenLook | undefined;
  /** Ends the run, also one that has not begun, with the signal that ended the command as its reason. */
  readonly interrupted?: AbortSignal | undefined;
  /** What the command line says of agents and attempts, and of what is waited for. */
  readonly options: Pick<
    SprintRunnerOptions,
    | 'agent'
    | 'agentCmd'
    | 'agentVia'
    | 'model'
    | 'maxAttempts'
    | 'parallel'
    | 'wait'
    | 'failFast'
    | 'despiteLimit'
  >;
  /** The configuration, where a person has to have seen what it runs; `undefined`: nobody is asked. */
  readonly configured?: { readonly reading: ConfigReading; readonly accepts: boolean };
};

/** What a run and its agents have of the environment: nothing of what people are called with. */
export function envOfRun(env: Cli['env'], configured: RunOrder['configured']): Cli['env'] {
  return configured ? withoutNotifySecrets(env, configured.reading.config.notify) : env;
}

/** A run that has ended, and what the sprint looks like now. */
export type FinishedRun = {
  readonly stream: string;
  readonly end: RunEnd;
  /** How many tasks are done, of how many. */
  readonly progress: string;
  /** What humans were asked, and how long that took; `''`: nothing. */
  readonly asked: string;
  /** Tasks were skipped or cancelled. */
  readonly isPartial: boolean;
  /** It is paused: only a human's word lets it go on. */
  readonly isPaused: boolean;
  /** What is not as it should be although a task is done, and why one was skipped or cancelled: a line each. */
  readonly remarks: readonly string[];
};

/** Sums a run up from the newest state. */
export async function finishedRun(project: Project, stream: string, end: RunEnd): Promise<FinishedRun> {
  const sprint = (await project.refresh()).streams.get(stream);
  const tasks = sprint ? describeSprint(sprint).tasks : [];
  const remarks = tasks
    .filter(({ state }) => state === 'done')
    .flatMap((task) => {
      const aside = task.setAside ? [`${task.detail} ${setAsideText(task.setAside)}`] : [];
      return [...aside, ...doneRemarks(task)].map((remark) => `${visibleLine(task.id)}: ${remark}`);
    });
  const saidTo = (verdict: ApprovalVerdict) =>
    [...(sprint?.requests.values() ?? [])].filter(({ answer }) => answer?.verdict === verdict);
  const remarkOn = ({ taskId, asked, answer }: RequestState, fate: (whose: string) => string) => {
    const tool = asked.approval?.tool ?? 'a call';
    remarks.push(visibleLine(`${taskId ?? stream}: ${tool} was ${fate(` by ${answer?.by ?? 'a human'}`)}`));
  };
  for (const each of saidTo('denied')) remarkOn(each, (whose) => `denied${whose}, and did not run`);
  const changed = saidTo('edited');
  if (changed.length > 0) {
    const failed = new FailedCalls();
    for await (const { events } of project.log.read({ stream }))
      for (const event of events) failed.take(event);
    for (const each of changed) if (failed.has(each.id)) remarkOn(each, (whose) => asChanged(true, whose));
  }
  const isPartial = tasks.some(({ setAside }) => setAside !== undefined);
  const isPaused = sprint !== undefined && detailOf(sprint.machine.value) === 'paused';
  const asked = sprint ? askedText(sprint) : '';
  return { stream, end, progress: progressText(tasks), asked, isPartial, isPaused, remarks };
}
