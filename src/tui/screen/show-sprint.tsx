import { createSprintState, type RequestState } from '../../machines/project-state.ts';
import { LineNumbers } from '../text/line-numbers.ts';
import { RecentEvents } from '../../workflow/history/recent-events.ts';
import { TracksOfNow } from '../../workflow/history/task-tracks.ts';
import { PastOutput } from '../../workflow/transcripts/past-output.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Offers, Revealed } from '../../views/call-card.ts';
import type { Answerer, CloseOutcome } from '../../workflow/requests/close-request.ts';
import { isRunnerAtWork } from '../../workflow/project/runner-lock.ts';
import type { AgentOutput } from '../text/agent-output.ts';
import { askedSeldom, ClockContext, createClock, RunnerContext } from './clock.ts';
import { DraftFiles } from './draft-files.ts';
import { drawOn } from './draw-on.tsx';
import { Editing, type OpenEditor } from './editing.tsx';
import { feedOffers } from './feed-offers.ts';
import { feedScreen } from './feed-screen.ts';
import { lookIn, type ScreenLook } from './screen-look.ts';
import { keepDrafts, keptDrafts } from './keep-drafts.ts';
import { feedTitles } from './feed-titles.ts';
import { loadPanes } from './load-panes.ts';
import type { Travel } from '../past/past.ts';
import { timeTravel } from '../past/time-travel.ts';
import { Timed } from '../past/timed.tsx';
import { clipboardText } from '../text/clipboard-text.ts';
import { ReadPaneContext } from './use-beside.ts';
import { runEffects } from './run-effects.ts';
import { runCommands, type RunCommand } from '../palette/run-commands.ts';
import { startRefusal } from './start-refusal.ts';
import { startScreenActor } from './screen-actor.ts';
import { initialState, type Commands } from './screen-state.ts';
import type { StopKey } from './focus.ts';
import { describeScreen } from '../../views/sprint-view.ts';
import { Screen } from './screen.tsx';
import { CliffordError } from '../../errors.ts';
import { wordOf } from '../../machines/status-words.ts';
import { summarise, WorkMeter, type SprintSummary } from '../../views/sprint-summary.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { retryTasks } from '../../workflow/project/control.ts';
import { refusal } from './decide-acts.ts';

/** What a screen needs. */
export type ShowSprintOptions = {
  readonly project: Project;
  /** The sprint's stream. */
  readonly stream: string;
  /** True in `run`, where leaving means stopping; false in `attach`. */
  readonly owner: boolean;
  /** False in the shell of an agent, which may watch, answer and deny, but allow no call. Default: true. */
  readonly mayApprove?: boolean;
  /** The whole arguments of a call that waits; `undefined`: nobody has them any more. */
  readonly reveal: (request: RequestState) => Promise<Revealed | undefined>;
  /** Allows a call as this text makes it. @throws {CliffordError} when it cannot be: the call waits on. */
  readonly edit: (request: RequestState, text: string, answerer: Answerer) => Promise<CloseOutcome>;
  /** Has the person write what stands in a box. Default: nobody can. */
  readonly openEditor?: OpenEditor;
  /** What the cards of these calls offer beside yes and no. */
  readonly offersFor: (waiting: readonly RequestState[]) => Promise<Offers>;
  /** The command lines of these calls, taken apart. Default: none are. */
  readonly partsOf?: (waiting: readonly RequestState[]) => Promise<Commands>;
  /** Called whenever keys are pressed, or text is pasted. */
  readonly onKey?: (() => void) | undefined;
  /** The human in front of it, as the author of answers. */
  readonly by: string;
  readonly output: AgentOutput;
  /** The moment of the past that it begins with. Default: now. */
  readonly startsAt?: Travel | undefined;
  /** Settles when the sprint's run is over: the screen shows how it ended, and stays, or leaves. */
  readonly ended?: Promise<RunOver>;
  /** Runs the sprint again, once its run is over. */
  readonly runAgain?: () => Promise<RunOver>;
  /** Aborts when the process is told to end: a screen that has stayed leaves then. */
  readonly signal?: AbortSignal;
  /** Id of the request to begin with, where it is still open. Default: the oldest. */
  readonly question?: string | undefined;
  /** It was opened from the overview of all sprints: Esc leads back there, too. */
  readonly isBelow?: boolean;
  /** How it looks. Default: as the environment says. */
  readonly look?: ScreenLook | undefined;
  /** Whoever shows it runs the sprint when it was left because of `start`. */
  readonly startsRuns?: boolean;
  /** The person goes to another sprint: the screen is left. Default: they can go to none. */
  readonly onGo?: (sprint: string) => void;
  /** Runs a command of our own that reads only, for the palette. */
  readonly runCommand?: RunCommand;
  /** Stops the sprint, because of this key. Resolves when the agents are gone. */
  readonly onStop: (key: StopKey) => Promise<void>;
  /** Ends the agents that are being stopped at once. */
  readonly onKill?: () => void;
  /** How long agents that are stopped may take to end, in ms. Default: nothing is said of it. */
  readonly graceMs?: number;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
};

/** Whether a screen stays whose run is over. */
export type RunOver = { readonly stays: boolean };

/** Why a screen was left: the sprint was stopped from it, the human went, goes on without it, wants it run, or the sprint's run is over. */
export type LeftBecause = 'stopped' | 'left' | 'detached' | 'start' | 'ended';

/**
 * Shows a sprint on the terminal's alternate screen until it is left, and restores the terminal.
 *
 * Both streams have to be a terminal. Import this file lazily: it loads React and Ink.
 *
 * @throws what `ended` or `onStop` rejects with; the log's error when it cannot be read any more.
 */
export async function showSprint(options: ShowSprintOptions): Promise<LeftBecause> {
  const { project, stream, output, owner, by, stdin = process.stdin, stdout = process.stdout } = options;
  const { look = lookIn(process.env) } = options;
  const { mayApprove = true, question, isBelow } = options;
  const { promise: left, resolve: leave, reject: fail } = Promise.withResolvers<LeftBecause>();
  const known = await project.refresh();
  const sprint = describeScreen(known, stream);
  const sprints = options.onGo ? [...known.streams.keys()].filter((id) => id !== stream) : [];
  const files = new DraftFiles(project.dir);
  const waiting = openRequests(project.state).map(({ id }) => id);
  const actor = startScreenActor({
    ...initialState({ isOwner: owner, mayApprove, sprint, question, isBelow, sprints }),
    ...keptDrafts(files, sprint.open, waiting),
  });
  const keeping = keepDrafts(actor, files);
  const feed = feedScreen({ project, stream, output, first: sprint, send: (event) => actor.send(event) });
  const stopOffers = feedOffers({
    project,
    stream,
    offersFor: options.offersFor,
    partsOf: options.partsOf ?? (() => Promise.resolve(new Map())),
    send: (event) => actor.send(event),
  });
  const stopTitles = feedTitles({ project, stream, send: (event) => actor.send(event) });
  const over = new AbortController();
  const time = timeTravel({
    actor,
    project,
    stream,
    copy: (text) => void stdout.write(clipboardText(text)),
    fail,
    isStill: look.isStill,
  });
  const events = new RecentEvents(project, stream);
  const panes = loadPanes(actor, {
    source: {
      project,
      stream,
      events,
      tracks: new TracksOfNow(project.log, stream),
      output: new PastOutput(project.dir),
      numbers: new LineNumbers(),
    },
    cursor: time.cursor,
    moment: time.moment,
    fail,
  });
  if (options.startsAt) await time.go(options.startsAt);

  const version = () => actor.getSnapshot().context.sprint.version;
  const hasRunner = owner ? () => true : askedSeldom(() => isRunnerAtWork(project.dir, stream), version);
  const drawing = drawOn(
    { stdin, stdout, look },
    <ClockContext value={createClock(look)}>
      <RunnerContext value={hasRunner}>
        <ReadPaneContext value={panes.read}>
          <Timed actor={actor}>
            <Editing actor={actor} open={options.openEditor ?? noEditor}>
              <Screen actor={actor} output={output} onKey={options.onKey} />
            </Editing>
          </Timed>
        </ReadPaneContext>
      </RunnerContext>
    </ClockContext>,
  );
  const isStopping = () => actor.getSnapshot().context.isStopping;
  const isOver = () => actor.getSnapshot().context.summary !== undefined;
  const follow = (ended: Promise<RunOver>) =>
    void ended
      .then(async ({ stays }) => {
        await project.refresh();
        feed.flush();
        if (stays && !isStopping()) {
          const summary = await summaryOf(project, stream);
          if (!over.signal.aborted) actor.send({ type: 'over', summary });
          if (!options.signal?.aborted) return;
        }
        await drawing.flush();
        leave(isStopping() ? 'stopped' : 'ended');
      })
      .catch(fail);
  const again = () => {
    if (!options.runAgain || !isOver()) return;
    actor.send({ type: 'runs' });
    follow(options.runAgain());
  };
  options.signal?.addEventListener('abort', () => {
    if (isOver()) leave('ended');
  });
  const commands = runCommands(actor, options.runCommand);
  actor.on('go', ({ sprint: id }) => {
    options.onGo?.(id);
    leave('left');
  });
  const effects = runEffects(actor, {
    project,
    stream,
    by,
    reveal: options.reveal,
    edit: options.edit,
    stop: (key) => {
      const { graceMs } = options;
      if (graceMs !== undefined) actor.send({ type: 'stopping', endsAt: Date.now() + graceMs });
      void options.onStop(key).then(() => leave('stopped'), fail);
    },
    decided: () => {
      const isDone = wordOf(project.state.streams.get(stream)?.machine.value ?? 'pending') === 'done';
      if (isOver() && !isDone) again();
    },
    runAgain: (retries) => {
      if (!retries) return again();
      retryTasks(project, { stream, by }).then(again, (error: unknown) => {
        if (!(error instanceof CliffordError)) return fail(error);
        actor.send({ type: 'told', notice: { tone: 'warning', text: refusal(error) } });
      });
    },
    kill: () => options.onKill?.(),
    detach: () => leave('detached'),
    start: () => {
      const text = startRefusal(options);
      if (text === undefined) return leave('start');
      actor.send({ type: 'told', notice: { tone: 'warning', text } });
    },
    leave: () => leave(isOver() ? 'ended' : owner ? 'stopped' : 'left'),
    fail,
  });
  drawing.ended.then(() => leave('left'), fail);
  if (options.ended) follow(options.ended);
  // A log that fails wakes nobody who listens, only those who wait for something.
  project
    .until(() => undefined, { signal: over.signal })
    .catch((error: unknown) => {
      if (!over.signal.aborted) fail(error);
    });

  try {
    return await left;
  } finally {
    // An answer that was given is recorded, whatever ends the screen.
    commands.stop();
    await effects.settled();
    over.abort();
    feed.stop();
    stopOffers();
    keeping.stop();
    stopTitles();
    panes.stop();
    events.close();
    await time.close();
    await drawing.close({ holds: isBelow === true });
    actor.stop();
  }
}

const noEditor: OpenEditor = () => Promise.resolve({ problem: 'there is no editor here' });

/** What a sprint took, from its whole history. */
async function summaryOf(project: Project, stream: string): Promise<SprintSummary> {
  const meter = new WorkMeter();
  for await (const { events } of project.log.read({ stream })) meter.take(events);
  return summarise(project.state.streams.get(stream) ?? createSprintState(stream), meter);
}
