import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { removeLeftRunFiles } from '../../runner/left-run-files.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project-root.ts';
import type { Cli, Style } from '../cli.ts';
import type { Check, CheckStatus } from '../doctor/check.ts';
import { examine } from '../doctor/examine.ts';
import { hasUnicode } from '../doctor/system-checks.ts';
import { giveBackFiles } from '../give-back-files.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from '../on-interrupt.ts';
import { oneLine, visible } from '../text/visible.ts';

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
  for (const note of removeLeftRunFiles(stateDir)) cli.warn(`note: ${oneLine(note)}`);
  cli.hint('looking, and starting the agents that are installed …');
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
  const isBroken = checks.some(({ status }) => status === 'broken');
  if (isBroken) cli.endWith(exitCodes.failed);
  if (json) return cli.print(JSON.stringify({ ok: !isBroken, checks }, null, 2));
  const isUnicode = hasUnicode(env);
  for (const check of checks) for (const line of linesOf(cli, check, isUnicode)) cli.print(line);
  cli.print(summary(checks));
}

const signs: Readonly<Record<CheckStatus, { unicode: string; ascii: string; style: Style }>> = {
  good: { unicode: '✔', ascii: 'ok', style: 'green' },
  warning: { unicode: '!', ascii: '!', style: 'yellow' },
  broken: { unicode: '✗', ascii: 'x', style: 'red' },
  absent: { unicode: '-', ascii: '-', style: 'dim' },
};

function linesOf({ style }: Cli, { status, text, fix }: Check, isUnicode: boolean): string[] {
  const { unicode, ascii, style: colour } = signs[status];
  const sign = isUnicode ? unicode : ascii.padEnd(2);
  const lines = [`${style(colour, sign)} ${visible(text)}`];
  return fix === undefined ? lines : [...lines, `${' '.repeat(sign.length + 1)}fix: ${visible(fix)}`];
}

function summary(checks: readonly Check[]): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [broken, warnings] = [count('broken'), count('warning')];
  if (broken > 0) return `${broken} broken, ${warnings} to look at`;
  return warnings > 0 ? `nothing is broken, ${warnings} to look at` : 'all is well';
}
