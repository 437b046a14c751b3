import { didYouMean } from '../../lib/text/did-you-mean.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import type { ServerTrust } from '../config/server-config.ts';
import { regexOf } from './regex-time.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { coversPattern, isLiteral, matchesPattern } from './pattern.ts';
import { labelOf, rulesOf, type FileRule } from './policy-rule.ts';

/** A rule that does not do what it looks like. */
export type RuleProblem = {
  /** An `error` is a rule that can match nothing; a `warning` one that decides less, or more, than one may think. */
  readonly severity: 'error' | 'warning';
  /** Where in `policy`: `['denylist', 0, 'tool']`. */
  readonly path: readonly (string | number)[];
  /** What is wrong and what to write instead, in one line. */
  readonly rule: string;
};

/** A server of `mcp.json`, whether it runs or not. */
export type KnownServer = { readonly id: string; readonly trust: ServerTrust };

/** Finds what is wrong with one rule. */
type Check = (rule: FileRule) => RuleProblem | undefined;

/**
 * Rules that would silently do nothing, or something else.
 *
 * @param servers all of `mcp.json`, also those that are disabled or cannot be used.
 * @param tools names of the tools of each server that was asked; servers that are missing are not held against a rule.
 */
export function problemsOfRules(
  policy: PolicyConfig | UnreadablePolicy,
  servers: readonly KnownServer[],
  tools: ReadonlyMap<string, readonly string[]> = new Map(),
): RuleProblem[] {
  if ('unreadable' in policy) return [];
  const rules = rulesOf(policy);
  const checks: readonly Check[] = [
    emptyPattern,
    joinedName,
    (rule) => unknownServer(rule, servers),
    (rule) => unknownTool(rule, servers, tools),
    disbelievedAnnotations(servers),
    (rule) => overruled(rule, rules),
  ];
  return rules.flatMap((rule) => {
    // The first problem explains those that follow from it.
    const first = checks.map((check) => check(rule)).find((problem) => problem !== undefined);
    return [...(first ? [first] : []), ...conditionProblems(rule)];
  });
}

const emptyPattern: Check = (rule) => {
  for (const field of ['server', 'tool', 'sprint', 'task'] as const) {
    if (rule[field] === '') return error(rule, field, 'is empty and matches nothing; * stands for any');
  }
  return undefined;
};

/** Other programs write server and tool in one word. */
const joinedName: Check = (rule) => {
  const joined = /^mcp__(.+?)__(.+)$/.exec(rule.tool);
  if (joined) {
    return error(
      rule,
      'tool',
      `is a server and a tool in one: write "server": "${joined[1]}", "tool": "${joined[2]}"`,
    );
  }
  if (!rule.tool.includes('(')) return undefined;
  return error(rule, 'tool', 'has a parenthesis: conditions on arguments go into "args"');
};

function unknownServer(rule: FileRule, servers: readonly KnownServer[]): RuleProblem | undefined {
  if (servers.length === 0 && !isLiteral(rule.server)) return undefined;
  if (servers.some(({ id }) => matchesPattern(rule.server, id))) return undefined;
  const ids = servers.map(({ id }) => id);
  return error(rule, 'server', `matches no server of this file${known(rule.server, ids)}`);
}

function unknownTool(
  rule: FileRule,
  servers: readonly KnownServer[],
  tools: ReadonlyMap<string, readonly string[]>,
): RuleProblem | undefined {
  const lists = servers.filter(({ id }) => matchesPattern(rule.server, id)).map(({ id }) => tools.get(id));
  const names = lists.flatMap((list) => list ?? []);
  if (lists.includes(undefined) || names.some((name) => matchesPattern(rule.tool, name))) return undefined;
  if (rule.tool === '*') return undefined;
  return error(rule, 'tool', `matches no tool of ${oneOf(rule.server)}${known(rule.tool, names)}`);
}

function disbelievedAnnotations(servers: readonly KnownServer[]): Check {
  return (rule) => {
    if (rule.decision !== 'allow' || Object.keys(rule.annotations).length === 0) return undefined;
    const isBelieved = servers.some(({ id, trust }) => trust === 'full' && matchesPattern(rule.server, id));
    if (isBelieved || servers.length === 0) return undefined;
    return error(
      rule,
      'annotations',
      'allows nothing: annotations are believed only of servers with "trust": "full"',
    );
  };
}

function overruled(rule: FileRule, rules: readonly FileRule[]): RuleProblem | undefined {
  const weights = { deny: 2, confirm: 1, allow: 0 } as const;
  const stronger = rules.find(
    (other) =>
      weights[other.decision] > weights[rule.decision] &&
      isUnconditional(other) &&
      coversPattern(other.server, rule.server) &&
      coversPattern(other.tool, rule.tool),
  );
  if (!stronger) return undefined;
  const text = `has no effect: ${labelOf(stronger)} always says ${stronger.decision}, which wins over ${rule.decision}`;
  return { severity: 'warning', path: [rule.list, rule.index], rule: `${labelOf(rule)} ${text}` };
}

function isUnconditional({ args, annotations, sprint, task }: FileRule): boolean {
  const conditions = Object.keys(args).length + Object.keys(annotations).length;
  return conditions === 0 && sprint === undefined && task === undefined;
}

function conditionProblems(rule: FileRule): RuleProblem[] {
  return Object.entries(rule.args).flatMap(([path, condition]) => {
    const problem = (severity: RuleProblem['severity'], text: string): RuleProblem[] => [
      {
        severity,
        path: [rule.list, rule.index, 'args', path],
        rule: `${labelOf(rule)}: the argument ${path} ${text}`,
      },
    ];
    if (path.replaceAll('.', '') === '') return problem('error', 'has no name');
    if ('glob' in condition && condition.glob === '') return problem('warning', 'fits only an empty text');
    if ('startsWith' in condition && condition.startsWith.trim() === '') {
      return problem('error', 'starts with an empty command, which no text does');
    }
    if ('below' in condition) {
      if (condition.below === '')
        return problem('error', 'has an empty folder; "." is the folder of the project');
      if (condition.below.startsWith('~'))
        return problem('error', 'has a folder with ~, which is not expanded here: write ${HOME}');
    }
    if ('regex' in condition) {
      if (!regexOf(condition.regex)) return problem('error', 'has an invalid regular expression');
      if (rule.decision === 'allow' && !isAnchored(condition.regex)) {
        return problem(
          'warning',
          'has a regex that matches anywhere in the text: begin it with ^ and end it with $',
        );
      }
    }
    return [];
  });
}

function isAnchored(source: string): boolean {
  // In `^a|b$` each end holds for one half only; a group around it is easily seen.
  return source.startsWith('^') && /(?<!\\)(?:\\\\)*\$$/.test(source) && !hasOuterAlternative(source);
}

function hasOuterAlternative(source: string): boolean {
  let depth = 0;
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}

function error(rule: FileRule, field: string, text: string): RuleProblem {
  const value = field in rule ? JSON.stringify(rule[field as keyof FileRule]) : '';
  const words = cleanLine(`${rule.list}[${rule.index}].${field} ${value} ${text}`, 1_000);
  return { severity: 'error', path: [rule.list, rule.index, field], rule: words };
}

function known(pattern: string, names: readonly string[]): string {
  if (names.length === 0) return '; there is none';
  const sorted = names.map((name) => cleanLine(name, 100)).toSorted();
  const near = didYouMean(pattern.slice(0, 200), sorted);
  if (near !== '') return near;
  const shown = sorted.slice(0, 20).join(', ');
  return `; there ${names.length === 1 ? 'is' : 'are'} ${shown}${names.length > 20 ? ', …' : ''}`;
}

function oneOf(pattern: string): string {
  return isLiteral(pattern) ? `"${pattern}"` : `the servers "${pattern}"`;
}
