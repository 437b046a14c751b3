import { messageOf } from '../../lib/message-of.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';

/** Runs a command of Clifford's own that reads only, with these arguments, and gives what it prints as it comes. */
export type RunCommand = (
  argv: readonly string[],
  io: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void },
) => Promise<{ readonly how: string }>;

/** Most of what is kept of what a command prints, in UTF-16 units. */
const KEEP = 500_000;

/** Runs what the palette asks for, one command at a time, and tells the screen what it says. Returns what ends the one that runs. */
export function runCommands(actor: ScreenActor, run: RunCommand | undefined): () => void {
  let running: AbortController | undefined;
  const stop = () => running?.abort();
  actor.on('slash-stop', stop);
  actor.on('slash', ({ argv }) => {
    stop();
    const own = new AbortController();
    running = own;
    let text = '';
    const say = (end?: string) => {
      if (running === own) actor.send({ type: 'said', text, end });
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
  });
  return stop;
}
