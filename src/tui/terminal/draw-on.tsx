import { render } from 'ink';
import type { ReactNode } from 'react';
import { MouseAreas, MouseContext } from '../mouse/mouse-areas.ts';
import { withReports } from '../mouse/mouse-report.ts';
import { DiffLookContext } from './diff-look-context.ts';
import { hangUpWhenLost } from './hang-up.ts';
import { keyboardStream } from './keyboard-stream.ts';
import { ReadTogether, ReadTogetherContext } from '../feed/read-together.ts';
import { writtenAs, type ScreenLook } from './screen-look.ts';
import { terminalStream } from './terminal-stream.ts';
import { KeyWordsContext } from '../keys/key-words.ts';

/** Frames per second at most: far above the 10 of the news, so that a key is seen at once. */
const MAX_FPS = 60;

/** Draws on the alternate screen of a terminal until it is closed, which restores the terminal; or leaves it there for the next one. */
export function drawOn(
  {
    stdin,
    stdout,
    look,
  }: {
    readonly stdin: NodeJS.ReadStream;
    readonly stdout: NodeJS.WriteStream;
    readonly look: ScreenLook;
  },
  screen: ReactNode,
) {
  const { stream, hold } = terminalStream(stdout, writtenAs(look));
  // Ink does this after its first frame: what is typed until then would be echoed, and Ctrl+C would kill.
  stdin.setRawMode(true);
  const stopLooking = hangUpWhenLost(stdin);
  const areas = look.hasMouse ? new MouseAreas() : undefined;
  const together = new ReadTogether();
  const keyboard = keyboardStream(stdin, (chunk) => together.take(chunk));
  const keyed = (
    <ReadTogetherContext value={together}>
      <KeyWordsContext value={look.ascii !== undefined}>
        <DiffLookContext value={look.diff}>{screen}</DiffLookContext>
      </KeyWordsContext>
    </ReadTogetherContext>
  );
  const instance = render(<MouseContext value={areas}>{keyed}</MouseContext>, {
    stdin: areas ? withReports(keyboard, (report) => areas.hear(report)) : keyboard,
    stdout: stream,
    alternateScreen: true,
    interactive: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    maxFps: MAX_FPS,
  });
  // Terminals reflow what they show when they are resized: what Ink knows of the screen is wrong then.
  const repaint = () => {
    instance.clear();
    stdout.write('\u001B[2J\u001B[H');
  };
  stdout.prependListener('resize', repaint);
  const ended = instance.waitUntilExit();
  const close = async ({ holds = false }: { readonly holds?: boolean } = {}) => {
    if (holds) hold();
    stopLooking();
    stdout.off('resize', repaint);
    instance.unmount();
    // What a drawing failed with is told to who waits for the end.
    await ended.catch(() => undefined);
    stdin.setRawMode(false);
  };
  return { ended, flush: () => instance.waitUntilRenderFlush(), close };
}
