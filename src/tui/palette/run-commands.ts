import { messageOf } from '../../lib/message-of.ts';
import type { CommandSaid } from './palette-state.ts';

/** Runs a command of Clifford's own that reads only, with these arguments, and gives what it prints as it comes. */
export type RunCommand = (
  argv: readonly string[],
  io: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void },
) => Promise<{ readonly how: string }>;

/** Runs what the palette of a screen asks for, one command at a time. */
export type CommandRunner = {
  readonly run: (argv: readonly string[]) => void;
  /** Ends the one that runs. */
  readonly stop: () => void;
};

/** Most of what is kept of what a command prints, in UTF-16 units. */
const KEEP = 500_000;

/** Commands of this screen, which is told what they say. */
export function commandsOf(
  screen: { readonly send: (said: CommandSaid) => void },
  run: RunCommand | undefined,
): CommandRunner {
  let running: AbortController | undefined;
  const stop = () => running?.abort();
  return {
    stop,
    run: (argv) => {
      stop();
      const own = new AbortController();
      running = own;
      let text = '';
      const say = (end?: string) => {
        if (running === own) screen.send({ type: 'said', text, end });
      };
      if (!run) return say('This screen runs no commands: type it in a shell');
      const onOutput = (more: string) => {
        text = (text + more).slice(-KEEP);
        say();
      };
      run(argv, { signal: own.signal, onOutput }).then(
        ({ how }) => say(how),
        (error: unknown) => say(messageOf(error)),
      );
    },
  };
}
