import type { AgentRule, PathCondition } from '../config/agent-policy.ts';
import { WRITING_KINDS, type AgentCall, type AgentKind } from '../permission/agent-call.ts';
import { asRead } from './as-read.ts';
import { isBelow, isBelowInAnyCase } from './path-below.ts';
import { patternsOfCall } from './path-patterns.ts';
import { matchesPattern, mayBothMatch } from './pattern.ts';
import type { Match } from './match.ts';
import type { Ground } from './rule-match.ts';
import { searchMatch } from './search-match.ts';
import { commandMatch } from './shell/command-match.ts';
import type { CommandReading, ShellCommand } from './shell/command-reading.ts';

/** A call of an agent's own tool, as the policy sees it. */
export type AgentGateCall = AgentCall & {
  /** The agent's name. */
  readonly agent: string;
  /** Tells this call from every other. */
  readonly digest: string;
  readonly stream: string;
  readonly taskId?: string | undefined;
  /** Of which rules, none that allows, its commands name what they are about. */
  readonly named?: NamedByCommands | undefined;
};

/** Whether commands name files of a rule, or machines. */
export type NamedByCommands = ReadonlyMap<AgentRule, { readonly path: boolean; readonly host: boolean }>;

/** Whether a rule says something about a part of a call: one command of it, or the whole. */
export function agentRuleApplies(
  rule: AgentRule,
  call: AgentGateCall,
  command: ShellCommand | undefined,
  ground: Ground & { readonly root: string },
): boolean {
  const isStrict = rule.decision === 'allow';
  const fits = (pattern: string | undefined, text: string) =>
    pattern === undefined ||
    matchesPattern(pattern, text) ||
    (!isStrict && matchesPattern(asRead(pattern), asRead(text)));
  const counts = (match: Match) => (isStrict ? match === 'yes' : match !== 'no');
  const kinds = kindsOf(call, isStrict);
  const each = (verdicts: readonly Match[]) =>
    isStrict ? verdicts.length > 0 && verdicts.every((verdict) => verdict === 'yes') : verdicts.some(counts);
  const { path, host } = rule;
  const named = call.named?.get(rule);
  const paths = isStrict ? call.paths : [...call.paths, ...(call.mayName ?? [])];
  const isMeant = (match: Match) => match !== 'unsure' || !isAskedInDoubt(rule, call);
  return (
    (!isStrict || looksAtAll(rule, call, command)) &&
    fits(rule.agent, call.agent) &&
    kinds[isStrict ? 'every' : 'some']((kind) => fits(rule.kind, kind)) &&
    fits(rule.sprint, call.stream) &&
    fits(rule.task, call.taskId ?? '') &&
    (!rule.command ||
      (command !== undefined &&
        counts(commandMatch(rule.command, command, isStrict ? 'strict' : 'wide', ground.regexTime)))) &&
    (!path ||
      each(paths.map((one) => pathMatch(path, one, call, { ground, isStrict })).filter(isMeant)) ||
      named?.path === true) &&
    (host === undefined ||
      each(call.hosts.map((one): Match => (one !== '' && fits(host, one) ? 'yes' : 'no'))) ||
      named?.host === true)
  );
}

/**
 * Whether what a rule asks of files or machines is what the call does: a command does what it says, whatever else it names;
 * where something is fetched from says nothing of the files that it is about, nor they of that.
 */
function looksAtAll({ path, host }: AgentRule, call: AgentCall, command: ShellCommand | undefined): boolean {
  if (path === undefined && host === undefined) return true;
  if (command !== undefined || call.commands.length > 0 || call.kind === 'execute') return false;
  const reaches = call.kind === 'fetch' || call.hosts.length > 0;
  const hasFiles = WITH_FILES.includes(call.kind) || call.paths.length > 0;
  return (!reaches || host !== undefined) && (!hasFiles || path !== undefined);
}

/** What a search by a pattern may find is no reason to refuse it, but to ask. */
function isAskedInDoubt({ path, decision }: AgentRule, { kind }: AgentCall): boolean {
  return kind === 'search' && decision === 'deny' && path !== undefined && 'glob' in path;
}

/** Whatever an agent calls it: what has a command runs it, and what says of a file that it goes deletes it. */
function kindsOf({ kind, commands, deletes = false }: AgentCall, isStrict: boolean): readonly string[] {
  const gone = deletes && kind !== 'delete' ? ['delete'] : [];
  if (commands.length === 0) return [kind, ...gone];
  return isStrict && kind === 'other' ? ['execute', ...gone] : [kind, ...gone, 'execute'];
}

/** Of another one any rule may be meant, or none: it is neither what a rule allows nor what one denies. */
export function hasName({ words: [name] }: ShellCommand): boolean {
  return name !== undefined;
}

/** Kinds of calls that have to say which files they are about. */
const WITH_FILES: readonly AgentKind[] = ['read', ...WRITING_KINDS];

/**
 * Whether a rule would say something of a call, were it not for what the call should say, and does not: which command
 * runs, and with that what it is about, or which file a redirection opens.
 *
 * @param reading - What all command lines of the call do together. `undefined`: it has none.
 */
export function mayBeMeant(
  rule: AgentRule,
  call: AgentGateCall,
  reading: Pick<CommandReading, 'runsUnknown' | 'redirects' | 'guesses'> | undefined,
  ground: Ground & { readonly root: string },
): boolean {
  if (
    isAskedInDoubt(rule, call) &&
    agentRuleApplies({ ...rule, decision: 'confirm' }, call, undefined, ground)
  )
    return true;
  const { kind, commands, paths, isUnclear = false, hosts } = call;
  const { command, path, host, kind: ruleKind, ...rest } = rule;
  const { runsUnknown = false, redirects = [], guesses = [] } = reading ?? {};
  const mayRunAny = runsUnknown || !guesses.every(hasName);
  const opensUnknown = runsUnknown || redirects.some((redirect) => redirect.path === undefined);
  const isSilent =
    (command !== undefined && (mayRunAny || isUnclear || (commands.length === 0 && kind === 'execute'))) ||
    (path !== undefined &&
      (opensUnknown || isUnclear || (paths.length === 0 && WITH_FILES.includes(kind)))) ||
    (host !== undefined &&
      (runsUnknown || isUnclear || hosts.includes('') || (hosts.length === 0 && kind === 'fetch')));
  // It may run something, or be of any kind that changes files.
  const isOfAnyKind =
    isUnclear &&
    ruleKind !== undefined &&
    ['execute', ...WRITING_KINDS].some((one) => matchesPattern(ruleKind, one));
  const others = isOfAnyKind || ruleKind === undefined ? rest : { ...rest, kind: ruleKind };
  return (isSilent || isOfAnyKind) && agentRuleApplies(others, call, undefined, ground);
}

/** Whether a path is one that a rule is about. `isStrict`: for a rule that allows. */
export function pathMatch(
  condition: PathCondition,
  path: string,
  call: Pick<AgentCall, 'cwd'> & Partial<Pick<AgentCall, 'kind' | 'paths' | 'mayName'>>,
  { ground, isStrict }: { ground: Ground & { readonly root: string }; isStrict: boolean },
): Match {
  const { root, throughLinks, patternsOf = patternsOfCall() } = ground;
  if ('glob' in condition) {
    const { glob } = condition;
    if (matchesPattern(glob, path)) return 'yes';
    if (isStrict) return 'no';
    if (matchesPattern(asRead(glob), asRead(path))) return 'yes';
    const patterns = patternsOf(path);
    const isNone = patterns?.every((pattern) => !mayBothMatch(asRead(glob), asRead(pattern))) === true;
    return isNone ? 'no' : 'unsure';
  }
  const below = isStrict ? isBelow : isBelowInAnyCase;
  const searched =
    call.kind === 'search' && !isStrict
      ? searchMatch(path, condition.below, call, { root, throughLinks, patternsOf })
      : undefined;
  return searched ?? below(path, condition.below, { root, cwd: call.cwd, throughLinks });
}
