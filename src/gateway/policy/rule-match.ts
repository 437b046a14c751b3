import type { AnnotationCondition } from '../config/policy-config.ts';
import { argumentHolds, conditionText, type Reading } from './arg-condition.ts';
import type { GateCall } from './gate-call.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { asRead } from './as-read.ts';
import type { Bases } from './path-below.ts';
import { matchesPattern } from './pattern.ts';
import type { PatternsOf } from './path-patterns.ts';
import type { FileRule } from './policy-rule.ts';
import type { RegexTime } from './regex-time.ts';

/**
 * The project's root, absolute, where folders of rules start, and how links below it are followed. `regexTime`: what is left
 * for regular expressions of the call that is judged. `patternsOf`: what its paths may become.
 */
export type Ground = Pick<Bases, 'root' | 'throughLinks'> & {
  readonly regexTime?: RegexTime;
  readonly patternsOf?: PatternsOf;
};

/** What a rule asks of everything but the arguments. */
export type GatePlace = Omit<GateCall, 'args'>;

type AnnotationName = keyof AnnotationCondition;

/** What MCP assumes of a tool that says nothing of itself. */
const assumed: Required<AnnotationCondition> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** Why a rule says nothing about a call; `undefined` when it applies. */
export function mismatchOf(rule: FileRule, call: GateCall, ground: Ground): string | undefined {
  return placeMismatch(rule, call) ?? argsMismatch(rule, call, ground);
}

/** The same for every call of a tool, whatever its arguments. */
export function placeMismatch(rule: FileRule, call: GatePlace): string | undefined {
  const reading = readingOf(rule);
  if (!names(rule.server, call.serverId, reading)) return isNot('the server', call.serverId, rule.server);
  if (!names(rule.tool, call.toolName, reading)) return isNot('the tool', call.toolName, rule.tool);
  if (rule.sprint !== undefined && !isIn(rule.sprint, call.stream)) {
    return isNot('the sprint', call.stream, rule.sprint);
  }
  if (rule.task !== undefined && !isIn(rule.task, call.taskId))
    return isNot('the task', call.taskId, rule.task);
  return annotationMismatch(rule, call.annotations, reading);
}

/** A rule that allows has to be sure; one that refuses or asks applies in doubt, too. */
function readingOf(rule: FileRule): Reading {
  return rule.decision === 'allow' ? 'strict' : 'wide';
}

function names(pattern: string, name: string, reading: Reading): boolean {
  if (matchesPattern(pattern, name)) return true;
  // A server chooses its names: `Delete_File` with an invisible character is not to slip past `delete_file`.
  return reading === 'wide' && matchesPattern(asRead(pattern), asRead(name));
}

function isIn(pattern: string, id: string | undefined): boolean {
  return id !== undefined && matchesPattern(pattern, id);
}

function annotationMismatch(
  { annotations }: FileRule,
  said: AnnotationCondition | undefined,
  reading: Reading,
): string | undefined {
  for (const [name, wanted] of Object.entries(annotations) as [AnnotationName, boolean][]) {
    const value = said?.[name];
    if (reading === 'strict' && value === undefined) {
      return said
        ? `the tool does not say its ${name}`
        : `${name} is believed only of servers with "trust": "full"`;
    }
    if ((value ?? assumedOf(name, said)) !== wanted) return `${name} is ${String(!wanted)}`;
  }
  return undefined;
}

function assumedOf(name: AnnotationName, said: AnnotationCondition | undefined): boolean {
  if (name === 'destructiveHint' && said?.readOnlyHint === true) return false;
  return assumed[name];
}

function argsMismatch(rule: FileRule, call: GateCall, ground: Ground): string | undefined {
  const bases = { ...ground, cwd: call.cwd === null ? undefined : (call.cwd ?? ground.root) };
  for (const [path, condition] of Object.entries(rule.args)) {
    if (argumentHolds(call.args, path, condition, readingOf(rule), bases)) continue;
    return `the argument ${cleanLine(path, 100)} is not ${cleanLine(conditionText(condition), 200)}`;
  }
  return undefined;
}

function isNot(what: string, name: string | undefined, pattern: string): string {
  const said = name === undefined ? 'unknown' : cleanLine(name, 100);
  return `${what} ${said} is not ${cleanLine(pattern, 100)}`;
}
