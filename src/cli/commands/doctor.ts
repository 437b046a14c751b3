import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { removeLeftRunFiles } from '../../runner/attempt/left-run-files.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { tellChecks } from '../doctor/check-lines.ts';
import type { DoctorContext } from '../doctor/check.ts';
import { checkLogAccess } from '../doctor/check-log-access.ts';
import { checkApprovals } from '../doctor/check-approvals.ts';
import { examine } from '../doctor/examine.ts';
import { giveBackFiles } from '../run/give-back-files.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from '../run/on-interrupt.ts';

/** `clifford doctor`: whether everything is there that a run needs, and works. */
export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .summary('check that everything is installed and works')
    .description(
      'Checks what a run needs: Node, git, the project, its configuration, disk and log, and every agent that is ' +
        'installed: its version, and whether it reaches Clifford. No model is asked. Ends with 1 when something is broken.',
    )
    .option('--approvals', 'instead prove for each agent that it waits for a yes before it acts')
    .addOption(
      new Option('--fresh', 'the same, also for those it was proven for before').implies({ approvals: true }),
    )
    .addOption(
      new Option('--timeout <seconds>', `how long such a proof may take (default: ${LIMIT_S})`)
        .argParser(seconds)
        .implies({ approvals: true }),
    )
    .addOption(
      new Option(
        '--log',
        'instead try what can be done with the log; or with the one at a URL: --log <url>',
      ).conflicts('approvals'),
    )
    .option('--json', 'for programs: { ok, checks: [ … ] }')
    .addHelpText(
      'after',
      '\n--log proves what a credential lets one do with a log on a server: read, follow,' +
        '\nappend, make it. It leaves nothing there: what it tries to append expects' +
        '\nanother log, and is refused for that by the server once it has let it pass.' +
        '\n\n--approvals runs each agent that asks over ACP in a folder and home of its own,' +
        '\nwith a scripted model on this machine: no key, no provider, nothing of yours is' +
        '\ntouched. One command is denied, one allowed. What was seen is kept for the' +
        '\nversion of the agent.' +
        '\n\nExamples:\n  clifford doctor\n  clifford doctor --json\n  clifford doctor --log nats://127.0.0.1:4222/my-project\n  clifford doctor --approvals',
    )
    .action((options: Options) => doctor(cli, options));
}

/** How long the proof of an agent may take, in seconds, where nobody says it: several start at once. */
const LIMIT_S = 120;

type Options = {
  readonly json?: true;
  readonly approvals?: true;
  readonly log?: true;
  readonly fresh?: boolean;
  readonly timeout?: number;
};

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d{1,4}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('It is not a whole number of seconds from 1 to 9999.');
}

async function doctor(
  cli: Cli,
  { json, approvals, log, fresh = false, timeout = LIMIT_S }: Options,
): Promise<void> {
  const { env, cwd, stdin, stdout } = cli;
  const root = findProjectRoot({ env, cwd });
  const stateDir = join(root, STATE_DIR);
  await giveBackFiles(cli, stateDir);
  removeLeftRunFiles(stateDir).forEach(cli.note);
  cli.hint(
    log
      ? 'looking at the log …'
      : approvals
        ? 'looking at the agents …'
        : 'checking, and starting the agents that are installed …',
  );
  const ending = new AbortController();
  const ignoreInterrupt = onInterrupt(() => ending.abort());
  const context: DoctorContext = {
    root,
    cwd,
    stateDir: existsSync(stateDir) ? stateDir : undefined,
    env,
    signal: ending.signal,
    stdin,
    stdout,
  };
  const look = () => {
    if (log) return checkLogAccess(context);
    return approvals
      ? checkApprovals(context, { isFresh: fresh, limitMs: timeout * 1_000 })
      : examine(context);
  };
  const checks = await look().finally(ignoreInterrupt);
  if (ending.signal.aborted) return cli.endWith(exitCodes.interrupted);
  tellChecks(cli, checks, { json });
}
