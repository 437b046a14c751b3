import type { Overview } from '../../views/sprints/overview.ts';
import { commandsOf, type RunCommand } from '../palette/run-commands.ts';
import { ClockContext, createClock } from '../terminal/clock.ts';
import { drawOn } from '../terminal/draw-on.tsx';
import { lookIn, type ScreenLook } from '../terminal/screen-look.ts';
import type { Notice } from '../screen/screen-state.ts';
import { startOverviewActor } from './overview-actor.ts';
import { OverviewScreen } from './overview-screen.tsx';
import { OverviewSources, type OverviewSource } from './overview-sources.ts';
import { openOverview, placeIn, type OverviewPlace, type OverviewWay } from './overview-state.ts';

/** What the overview needs. */
export type ShowOverviewOptions = {
  /** One without a name, or several with one. */
  readonly sources: readonly OverviewSource[];
  /** What all of it is called. */
  readonly title: string;
  /** Why others are not there. */
  readonly problems?: readonly string[];
  /** Ends when there are others to be shown: it is left, to be shown anew. */
  readonly others?: Promise<void> | undefined;
  /** Where the person stood when they left it for a sprint. */
  readonly place?: OverviewPlace | undefined;
  /** What became of what they left it for. */
  readonly notice?: Notice | undefined;
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
export type OverviewLeft = { readonly to: OverviewWay | Anew; readonly place: OverviewPlace };

/** It is to be shown with other projects. */
type Anew = { readonly type: 'anew' };

/**
 * Shows all sprints of a project, or of several, and what waits for a human, on the terminal's alternate screen until the person goes
 * somewhere, and restores the terminal.
 *
 * Both streams have to be a terminal. Import this file lazily: it loads React and Ink.
 *
 * @throws of a single project the log's error when it cannot be read any more; why the folders of sprints cannot be listed. Of several
 *   such a one is not shown any more, which is said.
 */
export async function showOverview(options: ShowOverviewOptions): Promise<OverviewLeft> {
  const { look = lookIn(process.env) } = options;
  const { sources, title, place, notice, stdin = process.stdin, stdout = process.stdout } = options;
  const { promise: left, resolve: leave, reject: fail } = Promise.withResolvers<OverviewWay | Anew>();
  const shown = await OverviewSources.open(sources, options.problems);
  const first = shown.overview();
  options.onShown?.(first);
  const actor = startOverviewActor(openOverview(first, { place, notice }));
  for (const type of ['enter', 'run', 'leave'] as const) actor.on(type, leave);
  options.others?.then(() => leave({ type: 'anew' }), fail);
  const commands = commandsOf(actor, options.runCommand);
  actor.on('slash', ({ argv }) => commands.run(argv));
  actor.on('slash-stop', commands.stop);
  const clock = createClock(look);
  const drawing = drawOn(
    { stdin, stdout, look },
    <ClockContext value={clock}>
      <OverviewScreen actor={actor} project={title} onAway={options.onAway} />
    </ClockContext>,
  );
  drawing.ended.then(() => leave({ type: 'leave' }), fail);
  const stopFeeds = shown.feed({
    actor,
    clock,
    tell: (overview) => {
      options.onShown?.(overview);
      actor.send({ type: 'news', overview });
    },
    fail,
  });
  let holds = false;
  try {
    const to = await left;
    holds = to.type === 'enter' || to.type === 'anew';
    return { to, place: placeIn(actor.getSnapshot().context) };
  } finally {
    commands.stop();
    stopFeeds();
    await drawing.close({ holds });
    actor.stop();
  }
}
