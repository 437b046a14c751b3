import { resolve } from 'node:path';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { askLine } from '../input/ask-line.ts';
import { createProgram } from '../program.ts';

const offers = [
  { command: 'init', does: 'make this folder one, with a sprint to try' },
  { command: 'demo', does: 'see a sprint run first, with a bundled agent' },
] as const;

/** Where there is no project: says how to come to one, and does what the person chooses. */
export async function offerStart(cli: Cli): Promise<void> {
  cli.say(`There is no project yet: no ${STATE_DIR}/ in ${resolve(cli.cwd)} or above it.`);
  for (const [at, { command, does }] of offers.entries())
    cli.print(`  ${at + 1}  ${`clifford ${command}`.padEnd(14)}  ${does}`);
  cli.print('All commands: clifford --help');
  for (;;) {
    const text = await askLine(cli, '1 or 2 [leave]: ');
    const word = text?.trim().toLowerCase() ?? '';
    if (word === '') return;
    const chosen = offers.find(({ command }) => command === word) ?? offers[Number(word) - 1];
    if (!chosen) continue;
    const program = await createProgram(cli, [chosen.command]);
    await program.parseAsync([chosen.command], { from: 'user' });
    return;
  }
}
