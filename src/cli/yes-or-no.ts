import { createInterface } from 'node:readline';
import type { Cli } from './cli.ts';

/** What a person says: `stop` when they press Ctrl-C or Ctrl-D instead. */
export type YesOrNo = 'yes' | 'no' | 'stop';

/** Can somebody be asked here? */
export function canAsk({ stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Asks on the terminal. Only a yes is a yes. */
export function yesOrNo(
  { stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>,
  question: string,
): Promise<YesOrNo> {
  const lines = createInterface({ input: stdin, output: stdout });
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (answer: YesOrNo) => {
      hasEnded = true;
      resolve(answer);
      lines.close();
    };
    const stop = () => {
      // What comes next, the shell's prompt for one, begins a line of its own.
      if (!hasEnded) stdout.write('\n');
      end('stop');
    };
    lines.on('close', stop);
    lines.on('SIGINT', stop);
    lines.question(`${question} [y/N] `, (text) => end(/^y(es)?$/i.test(text.trim()) ? 'yes' : 'no'));
  });
}
