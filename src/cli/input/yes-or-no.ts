import { createInterface } from 'node:readline';
import { showHidden } from '../../lib/text/hidden-characters.ts';
import type { Cli } from '../cli.ts';

/** What a person says: `stop` when they press Ctrl-C or Ctrl-D instead. */
export type YesOrNo = 'yes' | 'no' | 'stop';

/** Can somebody be asked here? */
export function canAsk({ stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Asks on the terminal. Only a yes is a yes. `signal`: nobody needs the answer any more, which is a `stop`. */
export function yesOrNo(
  { stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>,
  question: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<YesOrNo> {
  const lines = createInterface({ input: stdin, output: stdout });
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (answer: YesOrNo) => {
      hasEnded = true;
      signal?.removeEventListener('abort', stop);
      resolve(answer);
      lines.close();
    };
    const stop = () => {
      // What comes next, the shell's prompt for one, begins a line of its own.
      if (!hasEnded) stdout.write('\n');
      end('stop');
    };
    signal?.addEventListener('abort', stop, { once: true });
    lines.on('close', stop);
    lines.on('SIGINT', stop);
    lines.question(`${showHidden(question)} [y/N] `, (text) =>
      end(/^y(es)?$/i.test(text.trim()) ? 'yes' : 'no'),
    );
  });
}
