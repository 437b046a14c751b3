import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { removeLeftRunFiles } from '../../runner/attempt/left-run-files.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { checkLines, isBroken } from '../doctor/check-lines.ts';
import { examine } from '../doctor/examine.ts';
import { giveBackFiles } from '../run/give-back-files.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from '../run/on-interrupt.ts';

/** `clifford doctor`: whether everything is there that a run needs, and works. */
export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .summary('check that everything is there, and works')
    .description(
      'Checks what a run needs: Node, git, the project, its configuration, disk and log, and every agent that is ' +
        'installed: its version, and whether it reaches Clifford. No model is asked. Ends with 1 when something is broken.',
    )
    .option('--json', 'for programs: { ok, checks: [ … ] }')
    .addHelpText('after', '\nExamples:\n  clifford doctor\n  clifford doctor --json')
    .action((options: { json?: true }) => doctor(cli, options));
}

async function doctor(cli: Cli, { json }: { json?: true }): Promise<void> {
  const { env, cwd, stdin, stdout } = cli;
  const root = findProjectRoot({ env, cwd });
  const stateDir = join(root, STATE_DIR);
  await giveBackFiles(cli, stateDir);
  removeLeftRunFiles(stateDir).forEach(cli.note);
  cli.hint('checking, and starting the agents that are installed …');
  const ending = new AbortController();
  const ignoreInterrupt = onInterrupt(() => ending.abort());
  const checks = await examine({
    root,
    cwd,
    stateDir: existsSync(stateDir) ? stateDir : undefined,
    env,
    signal: ending.signal,
    stdin,
    stdout,
  }).finally(ignoreInterrupt);
  if (ending.signal.aborted) return cli.endWith(exitCodes.interrupted);
  const ok = !isBroken(checks);
  if (!ok) cli.endWith(exitCodes.failed);
  if (json) return cli.printJson({ ok, checks });
  cli.printLines(checkLines(cli, checks));
}
