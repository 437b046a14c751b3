import { CommanderError, Option, type Command } from 'commander';
import { readConfig } from '../../workflow/config/load-config.ts';
import { themes } from '../../workflow/config/screen-keys.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import { lookIn, type ScreenLook, type Theme } from '../../tui/terminal/screen-look.ts';
import type { Cli } from '../cli.ts';
import { isInteractive, isTerminal } from './is-interactive.ts';

/** What a command line says of the screen. */
export type ScreenOptions = {
  readonly plain?: true | undefined;
  readonly theme?: Theme | undefined;
  readonly mouse?: true | undefined;
  /** Of all projects of the user's list; of `clifford` alone. */
  readonly everywhere?: true | undefined;
};

/** The options of a command that may draw a screen, but `--plain`, which each says in its own words. */
export function addScreenOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--theme <theme>', 'colours of the screen (default: those of the terminal)').choices(themes),
    )
    .option('--mouse', 'clicks pick and the wheel scrolls on the screen; Shift selects text');
}

/** How a screen is to look; `undefined`: none is drawn, which is said where a person may wonder. */
export async function screenFor(
  cli: Cli,
  { plain, theme, mouse }: ScreenOptions,
): Promise<ScreenLook | undefined> {
  if (isInteractive(cli) && !plain) {
    const { env, configMemory } = cli;
    const { config } = await readConfig({ root: findProjectRoot(cli), env, configMemory });
    return lookIn(env, { theme, mouse }, config.screen);
  }
  if (!plain && isTerminal(cli) && cli.env['TERM'] === 'dumb')
    cli.hint('no screen on this terminal (TERM=dumb): it is printed line by line');
  return undefined;
}

/**
 * What `clifford` without a command was told of its screen; `undefined`: it was told something else.
 *
 * @throws {CommanderError} for a theme that there is not.
 */
export function screenOptionsIn(argv: readonly string[]): ScreenOptions | undefined {
  let options: ScreenOptions = {};
  let wrong: string | undefined;
  for (let at = 0; at < argv.length; at += 1) {
    const [flag = '', value = flag === '--theme' ? argv[(at += 1)] : undefined] = (argv[at] ?? '').split(
      '=',
      2,
    );
    const theme = themes.find((each) => each === value);
    if (flag === '--plain') options = { ...options, plain: true };
    else if (flag === '--mouse') options = { ...options, mouse: true };
    else if (flag === '--everywhere') options = { ...options, everywhere: true };
    else if (flag !== '--theme') {
      if (flag !== '--debug') return undefined;
    } else if (theme) options = { ...options, theme };
    else wrong = value ?? '';
  }
  if (wrong !== undefined) throw noTheme(wrong);
  return options;
}

/** As the parser says it where there is a command. */
function noTheme(value: string): CommanderError {
  const fault = `option '--theme <theme>' argument '${value}' is invalid. Allowed choices are ${themes.join(', ')}.`;
  return new CommanderError(2, 'commander.invalidArgument', fault);
}
