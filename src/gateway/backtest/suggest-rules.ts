import { isCut } from '../../events/cut-arguments.ts';
import { DEFAULT_POLICY, type PolicyConfig } from '../config/policy-config.ts';
import { problemsOfRules } from '../policy/rule-problems.ts';
import { ruleFor, shapeOf, type RuleBody } from './call-shape.ts';
import { decideBy, type Ground } from './decide-by.ts';
import { humansWord, isUnattended, type RecordedCall } from './recorded-call.ts';

/** So many answers of humans to calls of one shape, all the same, support a rule. */
const ENOUGH = 3;

/** A rule of the policy, and the list in which it stands. */
type Rule = RuleBody & { readonly decision: 'allow' | 'deny' };

/** A rule that would have given the answers that humans gave. */
export type SuggestedRule = Rule & {
  /** The calls that humans answered so. */
  readonly answers: readonly RecordedCall[];
  /** What else it would have matched. */
  readonly others: readonly RecordedCall[];
};

/** What is known of the calls of a project. */
export type Knowledge = {
  readonly calls: readonly RecordedCall[];
  /** The policy that the rules are to join. */
  readonly policy: PolicyConfig;
  readonly ground: Ground;
};

/**
 * The fewest rules that would have given the answers of humans that the policy does not give: each for calls of one shape
 * that were answered three times or more, and always alike. Together they decide nothing otherwise than a human did, or a
 * rule of that time.
 */
export function suggestRules(known: Knowledge): readonly SuggestedRule[] {
  const decide = decideBy(known.policy, known.ground);
  const asked = known.calls.filter((call) => {
    const word = humansWord(call);
    if (!call.isWhole || word === undefined) return false;
    const { decision, rule } = decide(call);
    return decision === 'confirm' || (isUnattended(rule) && decision !== word);
  });
  const groups = Map.groupBy(asked, (call) => shapeKey(call, known.ground));
  groups.delete(undefined);
  const found = [...groups.values()].flatMap((group) => ruleFrom(group, known) ?? []);
  const chosen: SuggestedRule[] = [];
  let { policy } = known;
  for (const rule of found.toSorted((a, b) => reachOf(b) - reachOf(a))) {
    const isNeeded = !givesAnswers(rule, policy, known.ground);
    if (!isNeeded || !isFaithful(rule, { ...known, policy })) continue;
    chosen.push(rule);
    policy = withRule(policy, rule);
  }
  return chosen;
}

/**
 * The rule that would have given the answers of humans to calls of the same shape as one that waits, and answers this one,
 * too. `undefined` until there are three, or when they were not all the same.
 *
 * @param requestId - Of the call that waits.
 */
export function offeredRule(requestId: string, known: Knowledge): SuggestedRule | undefined {
  const { policy, ground } = known;
  const waiting = known.calls.find((call) => call.requestId === requestId);
  if (!waiting) return undefined;
  const key = shapeKey(waiting, ground);
  const calls = known.calls.filter((call) => call !== waiting);
  const alike = calls.filter((call) => humansWord(call) !== undefined && shapeKey(call, ground) === key);
  const rule = key === undefined ? undefined : ruleFrom(alike, { ...known, calls });
  if (!rule || !isFaithful(rule, known)) return undefined;
  return givesAnswers({ ...rule, answers: [waiting] }, withRule(policy, rule), ground) ? rule : undefined;
}

/**
 * A policy with one rule more.
 *
 * @internal Tests join what is suggested as it is joined here.
 */
export function withRule(policy: PolicyConfig, { decision, ...body }: Rule): PolicyConfig {
  if (body.list === 'rules') return { ...policy, rules: [...policy.rules, { ...body.rule, decision }] };
  const { agents } = policy;
  return { ...policy, agents: { ...agents, rules: [...agents.rules, { ...body.rule, decision }] } };
}

function shapeKey(call: RecordedCall, ground: Ground): string | undefined {
  const shape = shapeOf(call, ground);
  return shape && JSON.stringify(shape.alike);
}

function reachOf({ answers, others }: SuggestedRule): number {
  return answers.length + others.length;
}

/** The rule that the answers to calls of one shape support, if they do. */
function ruleFrom(
  group: readonly RecordedCall[],
  { calls, policy, ground }: Knowledge,
): SuggestedRule | undefined {
  const [decision, other] = new Set(group.map(humansWord));
  const answers = group.filter(({ requestId }) => requestId !== undefined).length;
  const body = ruleFor(group.flatMap((call) => shapeOf(call, ground) ?? []));
  if (!body || decision === undefined || other !== undefined || answers < ENOUGH) return undefined;
  const rule: Rule = { ...body, decision };
  const own = new Set(group);
  const isMatched = isWithin(rule, ground);
  const others = calls.filter((call) => call.isWhole && !own.has(call) && isMatched(call));
  const suggested = { ...rule, answers: group, others };
  const isGiven = isWritable(rule) && givesAnswers(suggested, withRule(policy, rule), ground);
  return isGiven ? suggested : undefined;
}

/** Whether a person could write it: a server gives its tools any name. */
function isWritable(rule: Rule): boolean {
  if (rule.list === 'agents.rules') return true;
  const servers = [{ id: rule.rule.server ?? '', trust: 'untrusted' } as const];
  return problemsOfRules(withRule(DEFAULT_POLICY, rule), servers).every(
    ({ severity }) => severity !== 'error',
  );
}

/** Whether a policy gives the answers that a rule is there for. */
function givesAnswers({ answers, decision }: SuggestedRule, policy: PolicyConfig, ground: Ground): boolean {
  const decide = decideBy(policy, ground);
  return answers.every((call) => decide(call).decision === decision);
}

/** Whether a rule decides, with those of the policy, nothing otherwise than it was decided. */
function isFaithful(rule: SuggestedRule, { calls, policy, ground }: Knowledge): boolean {
  const [before, now] = [decideBy(policy, ground), decideBy(withRule(policy, rule), ground)];
  const opposite = calls.filter(
    (call) => decidedWord(call) === (rule.decision === 'allow' ? 'deny' : 'allow'),
  );
  return opposite.every((call) => {
    if (!call.isWhole) return !mayMatch(rule, call, ground);
    return now(call).decision !== rule.decision || before(call).decision === rule.decision;
  });
}

function decidedWord(call: RecordedCall): 'allow' | 'deny' | undefined {
  const { is } = call.outcome;
  return humansWord(call) ?? (is === 'ran' ? 'allow' : is === 'stopped' ? 'deny' : undefined);
}

/** Whether a rule matches a call, by itself. */
function isWithin(rule: Rule, ground: Ground): (call: RecordedCall) => boolean {
  const agents = { ...DEFAULT_POLICY.agents, ask: 'everything' } as const;
  const decide = decideBy(withRule({ ...DEFAULT_POLICY, agents }, rule), ground);
  return (call) => decide(call).rule.includes('rules[0]');
}

/**
 * Whether a call of which the log has a part may be of the shape of a rule: in doubt it is, and of one that was cut only
 * the tool is known.
 */
function mayMatch({ answers: [answer] }: SuggestedRule, call: RecordedCall, ground: Ground): boolean {
  const { alike } = (answer && shapeOf(answer, ground)) ?? {};
  if (!alike) return true;
  const known = isCut(call.args) ? withoutConditions(alike) : alike;
  return isWithin({ ...known, decision: 'deny' }, ground)(call);
}

function withoutConditions(body: RuleBody): RuleBody {
  if (body.list === 'agents.rules') {
    const { command: _command, path: _path, host: _host, ...rest } = body.rule;
    return { ...body, rule: rest };
  }
  const { args: _args, ...rest } = body.rule;
  return { ...body, rule: rest };
}
