import { readConfigFile, type ConfigFile } from './config-file.ts';
import { configFiles, type ConfigPlace } from './config-place.ts';
import { problemText, type ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { resolveConfig, type ResolvedConfig } from './resolve-config.ts';

/** Where to look, and whom to tell what cannot be read. */
export type ConfigSource = ConfigPlace & {
  /** Told one line about a file with a mistake, once per change of the file. */
  readonly report?: ((problem: string) => void) | undefined;
};

/** A configuration as it is now, with all that is wrong with its files. */
export type ConfigReading = ResolvedConfig & {
  /** Problems for which nothing stands in: what the files say of these keys, or at all, is not known. */
  readonly lost: readonly ConfigProblem[];
  /** Keys that mean nothing to this version, one line each. */
  readonly warnings: readonly string[];
};

/**
 * The configuration of a project as it is now: `clifford.json`, the user's own file, defaults. Always
 * usable: a file with a mistake counts as it was before the mistake, or without the keys that are wrong.
 *
 * Cheap enough to be asked anew whenever a value is needed, so that a change counts at once.
 */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  return (await readConfig(source)).config;
}

/** {@link loadConfig}, with the origin of each value and what is wrong with the files. */
export async function readConfig(source: ConfigSource): Promise<ConfigReading> {
  const files = await Promise.all(configFiles(source).map(readConfigFile));
  const resolved = resolveConfig(
    source,
    files.map(({ counts }) => counts),
  );
  const problems = [...files.flatMap(({ now }) => now.problems), ...resolved.problems];
  if (source.report) for (const file of files) tell(source.report, file, problems);
  const withoutStandIn = files.filter(({ counts, now }) => counts === now);
  return {
    ...resolved,
    problems,
    lost: [...withoutStandIn.flatMap(({ now }) => now.problems), ...resolved.problems],
    warnings: files.flatMap(({ now }) => now.warnings),
  };
}

/** What was told last, by file, and the state the file was in. */
const told = new Map<string, string>();

function tell(
  report: (problem: string) => void,
  { stamp, now: { file }, counts, now }: ConfigFile,
  problems: readonly ConfigProblem[],
): void {
  const own = problems.filter((problem) => problem.file === file);
  if (own.length === 0) return void told.delete(file);
  const rest = counts === now ? 'the other keys are used' : 'its previous content is used';
  const line = `${own.map(problemText).join('; ')}; ${rest}`;
  if (told.get(file) === `${stamp} ${line}`) return;
  told.set(file, `${stamp} ${line}`);
  report(line);
}
