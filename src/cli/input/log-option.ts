import { parseLogUrl } from '../../workflow/log/log-url.ts';
import { LOG_VARIABLE } from '../../workflow/log/log-variable.ts';
import { optionValue } from './option-value.ts';

/** The option of every command that names the log. */
const OPTION = '--log';
/** They have another one of that name, without a value. */
const OTHERS = ['policy', 'doctor'];

/** A command line without the option, and the environment that says the same to all that is started. */
export type LogChoice = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Takes `--log <url>` out of a command line, wherever it stands before a `--`. `doctor --log <url>` is `doctor --log` of that log.
 *
 * @throws {CliffordError} `LOG_URL_INVALID`.
 */
export function takeLogOption(argv: readonly string[], env: LogChoice['env']): LogChoice {
  const option = optionValue(argv, OPTION);
  if (!option) return { argv, env };
  const { at, count, value: url } = option;
  const command = argv.find((each, index) => !each.startsWith('-') && index !== (count === 2 ? at + 1 : -1));
  if (OTHERS.includes(command ?? '') && !url?.includes('://')) return { argv, env };
  const { name } = parseLogUrl(url ?? '');
  const left = command === 'doctor' && at > argv.indexOf(command) ? [OPTION] : [];
  return { argv: argv.toSpliced(at, count, ...left), env: { ...env, [LOG_VARIABLE]: name } };
}
