import type { CliffordError } from '../../errors.ts';
import { documentation } from '../../package-file.ts';
import { MistakesError } from './mistakes-error.ts';

/** Where in a file, both from 1. */
export type LineAndColumn = { readonly line: number; readonly column: number };

/** Something in a configuration file that does not count. */
export type ConfigProblem = {
  /** Absolute. */
  readonly file: string;
  /** Absent for a file that cannot be read at all. */
  readonly place?: LineAndColumn;
  /** The key it is about, if it is about one. */
  readonly path?: readonly (string | number)[];
  /** True when a variable is the reason, not the file: only its key is without a value. */
  readonly isVariable?: true;
  /** What is wrong, in plain words with the actual value. */
  readonly rule: string;
};

/** The name of the channel that a problem is about. `undefined`: it is about something else. */
export function channelOf({ path: [section, group, channel] = [] }: ConfigProblem): string | undefined {
  return section === 'notify' && group === 'channels' && channel !== undefined ? String(channel) : undefined;
}

/** A problem on one line: file, place, rule. */
export function problemText({ file, place, rule }: ConfigProblem): string {
  return `Cannot read ${placeText(file, place)}: ${rule}`;
}

/** `/p/clifford.json:3:18`. */
export function placeText(file: string, place: LineAndColumn | undefined): string {
  return place ? `${file}:${place.line}:${place.column}` : file;
}

/** What a command says that needs a configuration and finds a broken one. At least one problem. */
export function configError(problems: readonly ConfigProblem[]): CliffordError {
  return new MistakesError(problems.map(problemText), {
    code: 'CONFIG_INVALID',
    fix: `Correct it${problems.some(({ path = [] }) => path.length > 0) ? ', or remove the key' : ''}; ${documentation('configuration')} describes every key`,
  });
}
