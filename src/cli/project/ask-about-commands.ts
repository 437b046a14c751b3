import { CliffordError } from '../../errors.ts';
import { notAgreed } from '../../workflow/config/agree-to-commands.ts';
import type { Cli } from '../cli.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';

/** Shows commands that are new, and asks. @throws {CliffordError} `COMMANDS_NEW` unless somebody says yes. */
export async function askAboutCommands(cli: Cli, sprint: string, lines: readonly string[]): Promise<void> {
  if (!canAsk(cli)) throw notAgreed(sprint, lines, '--accept-commands');
  cli.print('New since the last run of this project, and run with your rights:');
  for (const line of lines) cli.print(`  ${line}`);
  if ((await yesOrNo(cli, 'Run this?')) !== 'yes') throw turnedDown(sprint);
}

function turnedDown(sprint: string): CliffordError {
  return new CliffordError(`Cannot run sprint ${sprint}: its new commands were not accepted`, {
    code: 'COMMANDS_NEW',
    fix: 'Change it in clifford.json or in the manifest, then run it again',
    recovery: 'fix-input',
  });
}
