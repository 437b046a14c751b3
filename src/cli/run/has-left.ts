import type { Cli } from '../cli.ts';

/** Prints a line, and says whether there was a reader when it left. */
export function hasLeft({ stdout }: Pick<Cli, 'stdout'>, line: string): Promise<boolean> {
  return new Promise((resolve) => {
    stdout.write(`${line}\n`, (error) => resolve(!error));
  });
}
