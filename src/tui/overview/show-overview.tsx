import { basename } from 'node:path';
import type { RequestState } from '../../machines/project-state.ts';
import { SprintRows } from '../../views/sprints/sprint-rows.ts';
import type { Processes } from '../../views/sprints/sprint-status.ts';
import type { Overview } from '../../views/sprints/overview.ts';
import type { Project } from '../../workflow/project/project.ts';
import { WatchedSprints } from '../../workflow/sprint/watched-sprints.ts';
import { commandsOf, type RunCommand } from '../palette/run-commands.ts';
import { ClockContext, createClock } from '../terminal/clock.ts';
import { drawOn } from '../terminal/draw-on.tsx';
import { lookIn, type ScreenLook } from '../terminal/screen-look.ts';
import type { Commands, Notice } from '../screen/screen-state.ts';
import { feedAgents, type MissingAgents } from './feed-agents.ts';
import { feedCommands } from './feed-commands.ts';
import { feedOverview } from './feed-overview.ts';
import { startOverviewActor } from './overview-actor.ts';
import { OverviewScreen } from './overview-screen.tsx';
import { openOverview, placeIn, type OverviewPlace, type OverviewWay } from './overview-state.ts';

/** What the overview needs. */
export type ShowOverviewOptions = {
  readonly project: Project;
  /** Which runners and agents are there now. */
  readonly processes: Processes;
  /** Where the person stood when they left it for a sprint. */
  readonly place?: OverviewPlace | undefined;
  /** What became of what they left it for. */
  readonly notice?: Notice | undefined;
  /** The command lines of these calls, taken apart. Default: none are. */
  readonly partsOf?: (waiting: readonly RequestState[]) => Promise<Commands>;
  /** Of sprints those that no run can begin for want of an agent. Default: all have one. */
  readonly missingAgents?: MissingAgents;
  /** Called with what is shown, at first and whenever that is another. */
  readonly onShown?: (overview: Overview) => void;
  /** Called when the screen is suspended, and when it is there again. */
  readonly onAway?: (isAway: boolean) => void;
  /** Runs a command of our own that reads only, for the palette. */
  readonly runCommand?: RunCommand;
  /** How it looks. Default: as the environment says. */
  readonly look?: ScreenLook | undefined;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
};

/** Where the person goes, and where they stand when they come back. */
export type OverviewLeft = { readonly to: OverviewWay; readonly place: OverviewPlace };

/**
 * Shows all sprints of a project, and what waits for a human, on the terminal's alternate screen until the person goes
 * somewhere, and restores the terminal.
 *
 * Both streams have to be a terminal. Import this file lazily: it loads React and Ink.
 *
 * @throws the log's error when it cannot be read any more; why the folders of sprints cannot be listed.
 */
export async function showOverview(options: ShowOverviewOptions): Promise<OverviewLeft> {
  const { look = lookIn(process.env) } = options;
  const { project, processes, place, notice, stdin = process.stdin, stdout = process.stdout } = options;
  const { promise: left, resolve: leave, reject: fail } = Promise.withResolvers<OverviewWay>();
  await project.refresh();
  const rows = new SprintRows({ project, processes, sprints: await WatchedSprints.open(project) });
  const first = rows.overview();
  options.onShown?.(first);
  const actor = startOverviewActor(openOverview(first, { place, notice }));
  for (const type of ['enter', 'run', 'leave'] as const) actor.on(type, leave);
  const commands = commandsOf(actor, options.runCommand);
  actor.on('slash', ({ argv }) => commands.run(argv));
  actor.on('slash-stop', commands.stop);
  const clock = createClock(look);
  const over = new AbortController();
  const drawing = drawOn(
    { stdin, stdout, look },
    <ClockContext value={clock}>
      <OverviewScreen actor={actor} project={basename(project.root)} onAway={options.onAway} />
    </ClockContext>,
  );
  drawing.ended.then(() => leave({ type: 'leave' }), fail);
  const stopFeed = feedOverview({
    project,
    rows,
    clock,
    tell: (overview) => {
      options.onShown?.(overview);
      actor.send({ type: 'news', overview });
    },
    fail,
  });
  const { partsOf = () => Promise.resolve(new Map()) } = options;
  const stopCommands = feedCommands(actor, { project, partsOf });
  const { missingAgents = () => Promise.resolve(new Map()) } = options;
  const stopAgents = feedAgents(actor, { clock, missingAgents });
  // A log that fails wakes nobody who listens, only those who wait for something.
  project
    .until(() => undefined, { signal: over.signal })
    .catch((error: unknown) => {
      if (!over.signal.aborted) fail(error);
    });
  let holds = false;
  try {
    const to = await left;
    holds = to.type === 'enter';
    return { to, place: placeIn(actor.getSnapshot().context) };
  } finally {
    over.abort();
    commands.stop();
    stopFeed();
    stopCommands();
    stopAgents();
    await drawing.close({ holds });
    actor.stop();
  }
}
