import type {
  AnnotationCondition,
  ArgConditions,
  ListedTool,
  PolicyConfig,
  PolicyRule,
  PolicyWord,
} from '../config/policy-config.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { isLiteral } from './pattern.ts';

/** A rule of the policy, from whichever list it comes. */
export type FileRule = {
  readonly list: 'denylist' | 'allowlist' | 'rules';
  readonly index: number;
  readonly decision: PolicyWord;
  readonly server: string;
  readonly tool: string;
  readonly args: ArgConditions;
  readonly annotations: AnnotationCondition;
  readonly sprint?: string | undefined;
  readonly task?: string | undefined;
  readonly reason?: string | undefined;
};

/** All rules of a policy. Which list one stands in, and where, says nothing about its weight. */
export function rulesOf({ denylist, allowlist, rules }: PolicyConfig): FileRule[] {
  return [
    ...denylist.map((entry, index) => listed('denylist', index, 'deny', entry)),
    ...allowlist.map((entry, index) => listed('allowlist', index, 'allow', entry)),
    ...rules.map(written),
  ];
}

/** How a rule is named to people: `denylist[0] fs/write_*`. */
export function labelOf({ list, index, server, tool }: FileRule): string {
  return `${list}[${index}] ${cleanLine(`${server}/${tool}`, 200)}`;
}

/**
 * Sorts the most specific rule first: a named tool before a pattern, a named server before one, a longer pattern
 * before a shorter one, more conditions before fewer. The same rules come out in the same order, whatever order
 * they stood in.
 */
export function bySpecificity(one: FileRule, other: FileRule): number {
  const [left, right] = [rankOf(one), rankOf(other)];
  for (const [index, rank] of left.entries()) {
    const difference = (right[index] ?? 0) - rank;
    if (difference !== 0) return difference;
  }
  const [text, otherText] = [textOf(one), textOf(other)];
  if (text === otherText) return 0;
  return text < otherText ? -1 : 1;
}

function listed(
  list: 'denylist' | 'allowlist',
  index: number,
  decision: PolicyWord,
  { server, tool, args = {} }: ListedTool,
): FileRule {
  return { list, index, decision, server, tool, args, annotations: {} };
}

function written(rule: PolicyRule, index: number): FileRule {
  const { decision, server = '*', tool = '*', args = {}, annotations = {}, sprint, task, reason } = rule;
  return { list: 'rules', index, decision, server, tool, args, annotations, sprint, task, reason };
}

function rankOf({ server, tool, args, annotations, sprint, task }: FileRule): readonly number[] {
  const conditions = Object.keys(args).length + Object.keys(annotations).length;
  const places = [sprint, task].filter((pattern) => pattern !== undefined).length;
  return [
    Number(isLiteral(tool)),
    Number(isLiteral(server)),
    conditions + places,
    literalLength(tool),
    literalLength(server),
  ];
}

function literalLength(pattern: string): number {
  return pattern.replaceAll(/[*?]/g, '').length;
}

/** Tells apart what the ranks do not. */
function textOf({ list, decision, server, tool, args, annotations, sprint, task, reason }: FileRule): string {
  const sorted = (fields: object): [string, unknown][] =>
    Object.entries(fields).toSorted(([key], [otherKey]) => (key < otherKey ? -1 : 1));
  return JSON.stringify([
    list,
    decision,
    server,
    tool,
    sorted(args),
    sorted(annotations),
    sprint,
    task,
    reason,
  ]);
}
