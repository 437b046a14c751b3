import { createInterface } from 'node:readline';
import { showHidden } from '../../lib/text/hidden-characters.ts';
import type { Cli } from '../cli.ts';

/**
 * Asks for a line on the terminal. `undefined`: they press Ctrl-C or Ctrl-D instead, or nobody needs the answer any more
 * (`signal`).
 */
export function askLine(
  { stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>,
  question: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<string | undefined> {
  if (signal?.aborted) return Promise.resolve(undefined);
  const lines = createInterface({ input: stdin, output: stdout });
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (answer: string | undefined) => {
      hasEnded = true;
      signal?.removeEventListener('abort', stop);
      resolve(answer);
      lines.close();
    };
    const stop = () => {
      // What comes next, the shell's prompt for one, begins a line of its own.
      if (!hasEnded) stdout.write('\n');
      end(undefined);
    };
    signal?.addEventListener('abort', stop, { once: true });
    lines.on('close', stop);
    lines.on('SIGINT', stop);
    lines.question(showHidden(question), end);
  });
}
