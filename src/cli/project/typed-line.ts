import { printedWord } from '../../lib/text/shell-word.ts';
import type { Cli } from '../cli.ts';
import { LOG_VARIABLE } from '../../workflow/log/log-variable.ts';
import { findInstall, onPath } from './install.ts';

type Place = Pick<Cli, 'cwd' | 'env' | 'calledIn' | 'calledLog'>;

/** A command of Clifford as a person can type it as it stands, in the folder where they called this one, and about the same log. */
export function typedLine(place: Place, ...words: readonly string[]): string {
  return [prefixOf(place, logOf(place)), ...words.map(printedWord)].join(' ');
}

/** The same as it does what it says in whichever folder it is typed: it goes to this one first. */
export function typedAnywhere(place: Place, folder: string, ...words: readonly string[]): string {
  return typedLine({ ...place, cwd: folder, calledIn: '' }, ...words);
}

/**
 * What to type in place of `clifford`, where that word alone does not start this one here; `undefined`: it does.
 *
 * @internal for tests
 */
export function otherName(place: Place): string | undefined {
  const prefix = prefixOf(place);
  return prefix === 'clifford' ? undefined : prefix;
}

/** Says what to type here in place of `clifford`, and why; `undefined`: that word alone starts this Clifford. */
export function otherNameText(place: Place): string | undefined {
  const name = otherName(place);
  if (name === undefined) return undefined;
  return onPath(place.cwd, place.env) === undefined
    ? `clifford is not on your PATH: in its place type ${name}`
    : `the clifford on your PATH may be another one: in its place type ${name}`;
}

function prefixOf({ cwd, env, calledIn }: Place, log: readonly string[] = []): string {
  const call = [...log, ...findInstall(cwd, env).call.map(printedWord)].join(' ');
  return cwd === calledIn ? call : `cd ${printedWord(cwd)} && ${call}`;
}

/** What names the log before a command where the shell names another one, or none. */
function logOf({ env, calledLog = '' }: Place): string[] {
  const { [LOG_VARIABLE]: log = '' } = env;
  return log === calledLog ? [] : [`${LOG_VARIABLE}=${log && printedWord(log)}`];
}
