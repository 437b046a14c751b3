import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { describeScreen } from '../../views/sprints/sprint-view.ts';
import { commandsOf } from '../palette/run-commands.ts';
import type { UnkeptText } from '../drafts/keep-drafts.ts';
import { visible, visibleLine } from '../../lib/text/visible.ts';
import { DraftFiles } from '../drafts/draft-files.ts';
import { drawOn } from '../terminal/draw-on.tsx';
import { feedAll } from '../feed/feed-all.ts';
import { followRun } from '../feed/follow-run.ts';
import { openActor } from '../feed/open-actor.ts';
import { runEffects } from './run-effects.ts';
import { lookIn } from '../terminal/screen-look.ts';
import type { LeftBecause, ShowSprintOptions } from './show-sprint-options.ts';
import { sprintDrawing } from './sprint-drawing.tsx';
import { waysOut } from './ways-out.ts';

/**
 * Shows a sprint on the terminal's alternate screen until it is left, and restores the terminal.
 *
 * Both streams have to be a terminal. Import this file lazily: it loads React and Ink.
 *
 * @throws what `ended` or `onStop` rejects with; the log's error when it cannot be read any more.
 */
export async function showSprint(options: ShowSprintOptions): Promise<LeftBecause> {
  const { project, stream, startsAt, stdin = process.stdin, stdout = process.stdout } = options;
  const { look = lookIn(process.env) } = options;
  const { promise: left, resolve: leave, reject: fail } = Promise.withResolvers<LeftBecause>();
  const first = describeScreen(await project.refresh(), stream, (task) => workFolder(project, task));
  const files = new DraftFiles(project.dir);
  const actor = openActor(options, first, files);
  const write = (text: string) => void stdout.write(text);
  const feeds = feedAll(actor, { options, first, files, isStill: look.isStill, write, fail });
  if (startsAt) await feeds.time.begin(startsAt).catch(fail);

  const { readPane } = feeds;
  const drawing = drawOn({ stdin, stdout, look }, sprintDrawing(actor, options, { look, readPane }));
  const over = new AbortController();
  const run = followRun(actor, {
    ...options,
    leave,
    fail,
    tell: feeds.flush,
    drawn: drawing.flush,
    over: over.signal,
  });
  const commands = commandsOf(actor, options.runCommand);
  actor.on('slash', ({ argv }) => commands.run(argv));
  actor.on('slash-stop', commands.stop);
  const { decided, runAgain } = run;
  const ways = waysOut(actor, options, { run, leave, fail });
  const effects = runEffects(actor, { ...options, ...ways, decided, runAgain, fail });
  drawing.ended.then(() => leave('left'), fail);
  failWithLog(project, over.signal, fail);

  try {
    return await left;
  } finally {
    commands.stop();
    // An answer that was given is recorded, whatever ends the screen.
    await effects.settled();
    over.abort();
    const unkept = await feeds.stop();
    await drawing.close({ holds: options.isBelow === true && unkept.length === 0 });
    write(unkept.map(unkeptLines).join(''));
    actor.stop();
  }
}

/** The last place for what was typed and never sent. */
function unkeptLines({ question, text }: UnkeptText): string {
  return `Not sent, and not saved: what you typed about "${visibleLine(question)}":\n${visible(text)}\n`;
}

/** A log that fails wakes nobody who listens, only those who wait for something. */
function failWithLog(
  project: ShowSprintOptions['project'],
  over: AbortSignal,
  fail: (error: unknown) => void,
): void {
  project
    .until(() => undefined, { signal: over })
    .catch((error: unknown) => {
      if (!over.aborted) fail(error);
    });
}
