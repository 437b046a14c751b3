import { agentMisfits } from './agent-rules.ts';
import type { ConfigDocument, ConfigLeaf } from './config-document.ts';
import { keyText } from './config-keys.ts';
import { shortPath, type ConfigPlace } from './config-place.ts';
import { channelOf, type ConfigProblem } from './config-problem.ts';
import { configSchema, type Config } from './config-schema.ts';
import { expandVariables, usesVariables } from './expand-variables.ts';
import { notifyMisfits } from './notify-rules.ts';
import { mustBe } from './rule-text.ts';
import { hasLateVariables } from './unshown-keys.ts';

/** Where the value of a key comes from. */
export type ConfigOrigin = {
  /** For people: `clifford.json:7`. */
  readonly origin: string;
  /** The file among those that were merged, from 0, the one that wins. */
  readonly rank: number;
  /** As it stands in the file: a variable by its name, not by its value. */
  readonly written: unknown;
  /** True when a variable brought in a part of the value: it may be a secret. */
  readonly hasVariables: boolean;
};

/** A configuration, and how it came about. */
export type ResolvedConfig = {
  readonly config: Config;
  /** By key, as {@link keyText} writes it. A key that is missing has its default. */
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
  /**
   * Variables that cannot be replaced: the next file, or the default, counts for their keys. And keys that make
   * no sense together: as if they were not there.
   */
  readonly problems: readonly ConfigProblem[];
};

/** Merges files key by key, the one that wins first, and replaces the variables in what counts. */
export function resolveConfig(place: ConfigPlace, documents: readonly ConfigDocument[]): ResolvedConfig {
  const found = new Map<string, FoundValue>();
  const problems: ConfigProblem[] = [];
  for (const [rank, { file, leaves }] of documents.entries()) {
    // Of a key that appears twice the last one counts, as in any JSON.
    for (const [key, leaf] of new Map(leaves.map((each) => [keyText(each.path), each]))) {
      if (found.has(key)) continue;
      const { path, value: written } = leaf;
      const where = { file, place: leaf.place, path };
      const expanded = expand(leaf, place.env);
      if ('rule' in expanded) {
        problems.push({ ...where, isVariable: true, rule: `${key} ${expanded.rule}` });
        continue;
      }
      const { value, hasVariables } = expanded;
      const origin = `${shortPath(place, file)}:${leaf.place.line}`;
      found.set(key, { path, value, where, from: { origin, rank, written, hasVariables } });
    }
  }
  const config = configSchema.parse(nest(found.values()));
  const mistakes = documents.flatMap((document) => document.problems);
  const misfits = misfitsOf(config, { problems, mistakes });
  for (const { key, rule } of misfits) {
    const { where } = found.get(key) ?? {};
    if (where) problems.push({ ...where, rule: `${key} ${rule}` });
    found.delete(key);
  }
  const origins = new Map([...found].map(([key, { from }]) => [key, from]));
  if (misfits.length === 0) return { config, origins, problems };
  return { config: configSchema.parse(nest(found.values())), origins, problems };
}

/** A value that counts, and where it stands. */
type FoundValue = {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly where: Omit<ConfigProblem, 'rule'>;
  readonly from: ConfigOrigin;
};

/**
 * Keys that make no sense together. An agent that lacks a key because of a variable is left alone.
 *
 * @param found - Problems of variables, and the mistakes of the files: a key that one is about is there, if not as it should be.
 */
function misfitsOf(
  { agents, notify }: Config,
  { problems, mistakes }: Readonly<Record<'problems' | 'mistakes', readonly ConfigProblem[]>>,
): { key: string; rule: string }[] {
  const isIncomplete = (name: string) =>
    problems.some(({ path: [section, agent] = [] }) => section === 'agents' && agent === name);
  const ofAgents = Object.entries(agents)
    .filter(([name]) => !isIncomplete(name))
    .flatMap(([name, agent]) =>
      agentMisfits(name, agent).map(({ key, rule }) => ({ key: keyText(['agents', name, key]), rule })),
    );
  const ofChannels = Object.entries(notify.channels).flatMap(([name, channel]) =>
    notifyMisfits(channel, mistakenKeys(mistakes, name)).map(({ key, rule }) => ({
      key: keyText(['notify', 'channels', name, ...key]),
      rule,
    })),
  );
  return [...ofAgents, ...ofChannels];
}

function mistakenKeys(mistakes: readonly ConfigProblem[], name: string): Set<string> {
  return new Set(mistakes.filter((each) => channelOf(each) === name).map(({ path = [] }) => String(path[3])));
}

function expand(
  { path, value, schema }: ConfigLeaf,
  env: ConfigPlace['env'],
): { value: unknown; hasVariables: boolean } | { rule: string } {
  if (hasLateVariables(path)) return { value, hasVariables: usesVariables(value) };
  const expanded = expandVariables(value, env);
  if ('unset' in expanded) return { rule: `uses the variable ${expanded.unset}, which is not set` };
  if ('malformed' in expanded)
    return { rule: `has ${expanded.malformed}, which is not a variable: $\${ stands for \${ itself` };
  const hasVariables = expanded.variables.length > 0;
  // The message shows what is written: what a variable holds may be a secret.
  if (!schema.safeParse(expanded.value).success) return { rule: mustBe(schema, value) };
  return { value: expanded.value, hasVariables };
}

/** Objects without a prototype: a key may be called `__proto__`. */
type Section = { [key: string]: unknown };

/** Values by path as nested objects, as they would stand in a file. */
export function nest(values: Iterable<{ path: readonly string[]; value: unknown }>): Section {
  const root = emptySection();
  for (const { path, value } of values) {
    let section = root;
    for (const name of path.slice(0, -1)) {
      const inner = (section[name] ?? emptySection()) as Section;
      section[name] = inner;
      section = inner;
    }
    section[path.at(-1) ?? ''] = value;
  }
  return root;
}

function emptySection(): Section {
  return Object.create(null) as Section;
}
