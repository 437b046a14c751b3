import type { ConfigDocument, ConfigLeaf } from './config-document.ts';
import { keyText } from './config-keys.ts';
import { shortPath } from './config-place.ts';
import type { ConfigPlace } from './config-place.ts';
import type { ConfigProblem } from './config-problem.ts';
import { configSchema } from './config-schema.ts';
import type { Config } from './config-schema.ts';
import { expandVariables } from './expand-variables.ts';
import { mustBe } from './rule-text.ts';

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
  /** Variables that cannot be replaced; the next file, or the default, counts for their keys. */
  readonly problems: readonly ConfigProblem[];
};

/** Merges files key by key, the one that wins first, and replaces the variables in what counts. */
export function resolveConfig(place: ConfigPlace, documents: readonly ConfigDocument[]): ResolvedConfig {
  const values = new Map<string, { path: readonly string[]; value: unknown }>();
  const origins = new Map<string, ConfigOrigin>();
  const problems: ConfigProblem[] = [];
  for (const [rank, { file, leaves }] of documents.entries()) {
    // Of a key that stands there twice the last one counts, as in any JSON.
    for (const [key, leaf] of new Map(leaves.map((each) => [keyText(each.path), each]))) {
      if (values.has(key)) continue;
      const expanded = expand(leaf, place.env);
      if ('rule' in expanded) {
        problems.push({
          file,
          place: leaf.place,
          path: leaf.path,
          isVariable: true,
          rule: `${key} ${expanded.rule}`,
        });
        continue;
      }
      values.set(key, { path: leaf.path, value: expanded.value });
      origins.set(key, {
        origin: `${shortPath(place, file)}:${leaf.place.line}`,
        rank,
        written: leaf.value,
        hasVariables: expanded.hasVariables,
      });
    }
  }
  return { config: configSchema.parse(nest(values.values())), origins, problems };
}

function expand(
  { value, schema }: ConfigLeaf,
  env: ConfigPlace['env'],
): { value: unknown; hasVariables: boolean } | { rule: string } {
  const expanded = expandVariables(value, env);
  if ('unset' in expanded) return { rule: `names the variable ${expanded.unset}, which is not set` };
  if ('malformed' in expanded)
    return { rule: `has ${expanded.malformed}, which is no variable: $\${ stands for \${ itself` };
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
