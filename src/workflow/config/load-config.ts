import { ConfigMemory, type ConfigFile } from './config-file.ts';
import type { UnknownKey } from './config-document.ts';
import { configFiles, type ConfigPlace } from './config-place.ts';
import { problemText, type ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { resolveConfig, type ResolvedConfig } from './resolve-config.ts';

/** Where to look, and whom to tell what cannot be read. */
export type ConfigSource = ConfigPlace & {
  /** Told one line about a file with a mistake, once per change of the file. */
  readonly report?: ((problem: string) => void) | undefined;
  /** What is known of the files already. Without it, nothing is. */
  readonly configMemory?: ConfigMemory | undefined;
};

/** A configuration as it is now, with all that is wrong with its files. */
export type ConfigReading = ResolvedConfig & {
  /** Problems for which nothing stands in: what the files say of these keys, or at all, is not known. */
  readonly lost: readonly ConfigProblem[];
  readonly unknownKeys: readonly UnknownKey[];
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
  const { report, configMemory: memory = new ConfigMemory() } = source;
  const files = await Promise.all(configFiles(source).map((file) => memory.read(file)));
  const resolved = resolveConfig(
    source,
    files.map(({ counts }) => counts),
  );
  const problems = [...files.flatMap(({ now }) => now.problems), ...resolved.problems];
  for (const file of report ? files : []) {
    const text = reportOf(file, problems);
    if (memory.isNews(file.now.file, text && `${file.stamp} ${text}`) && text) report?.(text);
  }
  const withoutStandIn = files.filter(({ counts, now }) => counts === now);
  return {
    ...resolved,
    problems,
    lost: [...withoutStandIn.flatMap(({ now }) => now.problems), ...resolved.problems],
    unknownKeys: files.flatMap(({ now }) => now.unknownKeys),
  };
}

/** What is wrong with a file, in one line; `undefined`: nothing is. */
function reportOf({ now, counts }: ConfigFile, problems: readonly ConfigProblem[]): string | undefined {
  const own = problems.filter((problem) => problem.file === now.file);
  if (own.length === 0) return undefined;
  const rest = counts === now ? 'the other keys are used' : 'its previous content is used';
  return `${own.map(problemText).join('; ')}; ${rest}`;
}
