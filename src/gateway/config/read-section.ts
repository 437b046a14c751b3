import { evaluate, type ValueNode } from '@humanwhocodes/momoa';
import type { z } from 'zod';
import { keyText, kindOf, schemaAt } from '../../workflow/config/config-keys.ts';
import type { ConfigProblem } from '../../workflow/config/config-problem.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { expandVariables } from '../../workflow/config/expand-variables.ts';
import { nameOf, nearestNode, placeOf } from '../../workflow/config/json-places.ts';
import { mustBe, ruleText } from '../../workflow/config/rule-text.ts';

/** A key as a path; numbers are places in a list. */
export type Path = readonly (string | number)[];

/** A part of a file: where it stands, and with which variables it is read. */
export type Section = {
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where in the file it stands: `['servers', 'fs']`. */
  readonly path: Path;
  readonly node: ValueNode;
};

/** What a part of a file says, complete with defaults, or all that is wrong with it. At least one problem then. */
export type SectionReading<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value: undefined; readonly problems: readonly ConfigProblem[] };

/** Replaces the variables in every text of a part of a file, and checks it. One mistake spoils the whole part. */
export function readSection<T>(section: Section, schema: z.ZodType<T>): SectionReading<T> {
  const { node, env } = section;
  const problems = namesOf(node).map(({ path, rule }) => problemAt(section, path, rule));
  const value = expandNode(node, env, [], (path, rule) =>
    problems.push({ ...problemAt(section, path, rule), isVariable: true }),
  );
  const isKnown = (path: Path) =>
    problems.some(({ path: other = [] }) => keyText(other) === keyText([...section.path, ...path]));
  const checked = schema.safeParse(value);
  for (const { path, rule } of (checked.error?.issues ?? []).flatMap((issue) => rulesOf(issue, schema, node)))
    if (!isKnown(path)) problems.push(problemAt(section, path, rule));
  if (checked.success && problems.length === 0) return { value: checked.data, problems: [] };
  return { value: undefined, problems };
}

/** A problem at a place below a part of a file. The rule is the end of a sentence about the key. */
export function problemAt({ file, path, node }: Section, below: Path, rule: string): ConfigProblem {
  const whole = [...path, ...below];
  return { file, place: placeOf(nearestNode(node, below)), path: whole, rule: `${keyText(whole)} ${rule}` };
}

type BrokenRule = { readonly path: Path; readonly rule: string };

/** Keys that stand twice: which of them counts would be anybody's guess. And one that no object can have. */
function namesOf(node: ValueNode, path: Path = []): BrokenRule[] {
  if (node.type === 'Array')
    return node.elements.flatMap(({ value }, index) => namesOf(value, [...path, index]));
  if (node.type !== 'Object') return [];
  const seen = new Set<string>();
  return node.members.flatMap((member) => {
    const name = nameOf(member);
    const inner = [...path, name];
    const own: BrokenRule[] = [];
    if (seen.has(name)) own.push({ path: inner, rule: 'appears twice' });
    if (name === '__proto__') own.push({ path: inner, rule: 'cannot have this name' });
    seen.add(name);
    return [...own, ...namesOf(member.value, inner)];
  });
}

function expandNode(
  node: ValueNode,
  env: Section['env'],
  path: Path,
  refuse: (path: Path, rule: string) => void,
): unknown {
  if (node.type === 'Array')
    return node.elements.map(({ value }, index) => expandNode(value, env, [...path, index], refuse));
  if (node.type === 'Object')
    return Object.fromEntries(
      node.members.map((member) => {
        const name = nameOf(member);
        return [name, expandNode(member.value, env, [...path, name], refuse)];
      }),
    );
  const written: unknown = evaluate(node);
  const expanded = expandVariables(written, env);
  if ('value' in expanded) return expanded.value;
  if ('unset' in expanded) refuse(path, `uses the variable ${expanded.unset}, which is not set`);
  else refuse(path, `has ${expanded.malformed}, which is not a variable: $\${ stands for \${ itself`);
  return written;
}

/** What an issue says, in plain words. The value is shown as it is written: a variable may hold a secret. */
function rulesOf(issue: z.core.$ZodIssue, schema: z.ZodType, node: ValueNode): BrokenRule[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const rule = schemaAt(schema, path);
  if (issue.code === 'unrecognized_keys') {
    const kind = rule && kindOf(rule);
    const known = kind?.is === 'object' ? [...kind.keys.keys()] : [];
    return issue.keys.map((key) => ({
      path: [...path, key],
      rule: `is unknown${didYouMean(key, known)}`,
    }));
  }
  if (issue.code === 'invalid_key') return [{ path, rule: issue.issues[0]?.message ?? issue.message }];
  if (!rule || issue.code === 'invalid_union' || issue.code === 'custom')
    return [{ path, rule: issue.message }];
  const written = nodeAt(node, path);
  if (!written) return [{ path, rule: `is missing: it must be ${ruleText(rule)}` }];
  return [{ path, rule: mustBe(rule, evaluate(written)) }];
}

function nodeAt(node: ValueNode, path: Path): ValueNode | undefined {
  const last = path.at(-1);
  if (last === undefined) return node;
  const around = nearestNode(node, path.slice(0, -1));
  const found = nearestNode(node, path);
  return found === around ? undefined : found;
}
