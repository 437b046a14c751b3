import { commandsCalled } from '../../workflow/projects/commands-called.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Style } from '../printer.ts';
import { hanging } from '../text/paragraph.ts';
import { visible } from '../../lib/text/visible.ts';
import type { Check, CheckStatus } from './check.ts';
import { hasUnicode } from './system-checks.ts';

const signs: Readonly<Record<CheckStatus, { unicode: string; ascii: string; style: Style }>> = {
  good: { unicode: '✔', ascii: 'ok', style: 'green' },
  warning: { unicode: '!', ascii: '!', style: 'yellow' },
  broken: { unicode: '✗', ascii: 'x', style: 'red' },
  absent: { unicode: '-', ascii: '-', style: 'dim' },
};

/** Prints the checks, and ends with 1 where something is broken. */
export function tellChecks(
  cli: Cli,
  checks: readonly Check[],
  { json }: { readonly json?: true | undefined },
): void {
  const ok = checks.every(({ status }) => status !== 'broken');
  if (!ok) cli.endWith(exitCodes.failed);
  if (json) cli.printJson({ ok, checks });
  else cli.printLines(checkLines(cli, checks));
}

/** Each check with its sign, what to do below it, and in the end how many there are of which kind. */
function checkLines(
  cli: Pick<Cli, 'style' | 'env' | 'stdout' | 'called'>,
  checks: readonly Check[],
): string[] {
  const { style, env } = cli;
  const isUnicode = hasUnicode(env);
  const lines = checks.flatMap(({ status, text, fix }) => {
    const { unicode, ascii, style: colour } = signs[status];
    const sign = isUnicode ? unicode : ascii.padEnd(2);
    const first = hanging(cli, `${style(colour, sign)} `, visible(commandsCalled(cli.called, text)));
    if (fix === undefined) return [first];
    return [
      first,
      hanging(cli, `${' '.repeat(sign.length + 1)}fix: `, visible(commandsCalled(cli.called, fix))),
    ];
  });
  return [...lines, summary(checks)];
}

function summary(checks: readonly Check[]): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [broken, warnings] = [count('broken'), count('warning')];
  if (broken > 0) return `${broken} broken, ${warnings} to look at`;
  if (checks.every(({ status }) => status === 'absent'))
    return 'none of them is installed: nothing was looked at';
  return warnings > 0 ? `nothing is broken, ${warnings} to look at` : 'everything works';
}
