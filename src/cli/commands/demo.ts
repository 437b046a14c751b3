import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addScreenOptions, type ScreenOptions } from '../input/screen-options.ts';
import { playDemo } from '../demo/play-demo.ts';
import { prepareDemo } from '../demo/prepare-demo.ts';

type Options = Pick<ScreenOptions, 'theme' | 'mouse'> & { readonly keep?: string };

/** `clifford demo`: a whole sprint, from the first task to the verified replay. */
export function addDemo(program: Command, cli: Cli): void {
  const command = program
    .command('demo')
    .summary('see a sprint run, with a bundled agent')
    .description(
      'Runs a sprint of three tasks with a bundled agent, which asks a question and wants a tool call allowed. ' +
        'It shows them on the screen, and serves the page on which they can be answered in a browser, too: its address is on ' +
        'the screen. Without a terminal the demo answers both by itself.',
    )
    .option('--keep <dir>', 'make the project in this folder (default: a new temporary one)')
    .addHelpText('after', '\nExample:\n  clifford demo --keep ./clifford-demo')
    .action(async ({ keep, theme, mouse }: Options) => {
      const root = await prepareDemo(keep, { tell: cli.print });
      await playDemo(cli, root, { theme, mouse });
    });
  addScreenOptions(command);
}
