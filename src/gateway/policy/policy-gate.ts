import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { PolicyConfig, PolicyWord, UnreadablePolicy } from '../config/policy-config.ts';
import type { GateCall, GateDecision } from './gate-call.ts';
import { grantLabel, holdsIn, type GrantedRule } from './granted-rule.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { remembering } from './path-below.ts';
import { bySpecificity, labelOf, rulesOf, type FileRule } from './policy-rule.ts';
import { REGEX_LIMIT_MS, RegexTime } from './regex-time.ts';
import { mismatchOf, placeMismatch, type GatePlace, type Ground } from './rule-match.ts';
import { reachesStateFolder } from './state-folder.ts';

/** One rule in an {@link PolicyGate.explain explanation}. */
export type RuleExplanation = {
  readonly rule: string;
  readonly decision: PolicyWord;
  readonly applies: boolean;
  /** Why it does not apply. */
  readonly why?: string;
};

/** A decision with all that was considered: rules that apply first, then the rest, the most specific first. */
export type GateExplanation = GateDecision & { readonly rules: readonly RuleExplanation[] };

/**
 * Judges calls by the policy of `mcp.json` and by what humans granted. Deny wins over confirm, confirm over allow,
 * whatever the order of the rules; a granted rule answers a confirm and nothing else. Neither an allow nor a grant
 * reaches Clifford's own folder: there a human is asked each time. Where `ask` is `nothing`, what a human would be asked
 * about is refused. Without I/O of its own: the
 * same policy, call and links give the same decision.
 */
export class PolicyGate {
  readonly #policy: PolicyConfig | UnreadablePolicy;
  readonly #rules: readonly FileRule[];
  readonly #granted: readonly GrantedRule[];
  readonly #ground: Ground;

  /** `root`: the project, absolute; relative folders of rules start there. Without `throughLinks` links count as written. */
  constructor(
    policy: PolicyConfig | UnreadablePolicy,
    granted: readonly GrantedRule[],
    { root, throughLinks }: Partial<Ground> = {},
  ) {
    this.#policy = policy;
    this.#rules = 'unreadable' in policy ? [] : rulesOf(policy).toSorted(bySpecificity);
    this.#granted = granted;
    this.#ground = { root, throughLinks };
  }

  check(call: GateCall): GateDecision {
    const policy = this.#policy;
    if ('unreadable' in policy) return refusedUnread(nameOf(call), policy);
    const regexTime = new RegexTime();
    const { root, throughLinks } = this.#ground;
    const ground: Ground = { root, throughLinks: throughLinks && remembering(throughLinks), regexTime };
    const rule = weightiest(this.#rules, (candidate) => mismatchOf(candidate, call, ground) === undefined);
    const word = rule?.decision ?? policy.default;
    // A rule that refuses or asks counts as met then: what allows is not sure.
    const said = this.#decide(word, rule, call, ground);
    const isSure = !regexTime.isOver;
    const decided = isSure ? said : outOfTime(nameOf(call), said.decision === 'allow' ? undefined : said);
    return decided.decision === 'confirm' && policy.agents.ask === 'nothing' ? unasked(decided) : decided;
  }

  /** The decision, and of each rule why it has a part in it or has none. */
  explain(call: GateCall): GateExplanation {
    const ground = { ...this.#ground, regexTime: new RegexTime() };
    const rules = this.#rules.map((rule): RuleExplanation => {
      const why = mismatchOf(rule, call, ground);
      const { decision } = rule;
      return {
        rule: labelOf(rule),
        decision,
        applies: why === undefined,
        ...(why === undefined ? {} : { why }),
      };
    });
    const [applying, others] = [
      rules.filter(({ applies }) => applies),
      rules.filter(({ applies }) => !applies),
    ];
    return { ...this.check(call), rules: [...applying, ...others] };
  }

  /** Whether every call of a tool would be refused, whatever its arguments: it is not even listed. */
  isHidden(
    serverId: string,
    toolName: string,
    place: Omit<GatePlace, 'serverId' | 'toolName'> = {},
  ): boolean {
    const policy = this.#policy;
    if ('unreadable' in policy) return true;
    const call = { ...place, serverId, toolName };
    const possible = this.#rules.filter((rule) => placeMismatch(rule, call) === undefined);
    if (possible.some(({ decision, args }) => decision === 'deny' && Object.keys(args).length === 0))
      return true;
    return policy.default === 'deny' && possible.every(({ decision }) => decision === 'deny');
  }

  #decide(word: PolicyWord, rule: FileRule | undefined, call: GateCall, ground: Ground): GateDecision {
    const label = rule ? labelOf(rule) : 'default';
    const because = rule?.reason === undefined ? '' : `: ${cleanLine(rule.reason, 1_000)}`;
    const tool = nameOf(call);
    if (word === 'deny') {
      const reason = `The policy of this project denies ${tool} (${label}${fieldsOf(rule)})${because}. Do not try to reach the same by another way`;
      return { decision: 'deny', rule: label, reason };
    }
    const granted = word === 'confirm' ? this.#granted.find((grant) => serves(grant, call)) : undefined;
    if (call.definition === 'changed' && (word === 'allow' || granted)) {
      const was = granted ? grantLabel(granted) : label;
      const reason = `The server has changed the definition of ${tool} since it was approved: a human has to look at it again`;
      return { decision: 'confirm', rule: `changed definition (otherwise ${was})`, reason };
    }
    if ((word === 'allow' || granted) && reachesStateFolder(call, ground)) {
      const was = granted ? grantLabel(granted) : label;
      const reason = `An argument of ${tool} leads into ${STATE_DIR}, or names it, where Clifford keeps its log: a human has to look at it`;
      return { decision: 'confirm', rule: `${STATE_DIR} (otherwise ${was})`, reason };
    }
    if (granted) {
      const by = cleanLine(granted.by, 100);
      return { decision: 'allow', rule: grantLabel(granted), reason: `${by} has allowed ${tool}` };
    }
    if (word === 'allow') {
      return {
        decision: 'allow',
        rule: label,
        reason: `The policy of this project allows ${tool} (${label})${because}`,
      };
    }
    return { decision: 'confirm', rule: label, reason: `A human has to allow ${tool} (${label})${because}` };
  }
}

/** What an agent could do otherwise: `, which looks at path`; nothing where the rule is about every call. */
function fieldsOf(rule: FileRule | undefined): string {
  const fields = Object.keys(rule?.args ?? {});
  return fields.length === 0 ? '' : `, which looks at ${cleanLine(fields.join(', '), 200)}`;
}

/** Of the rules that apply, the most specific of those that weigh most. */
function weightiest(rules: readonly FileRule[], applies: (rule: FileRule) => boolean): FileRule | undefined {
  for (const word of ['deny', 'confirm', 'allow'] as const) {
    const found = rules.find((rule) => rule.decision === word && applies(rule));
    if (found) return found;
  }
  return undefined;
}

/** Letter by letter, and only for the definition that the human saw. */
function serves(grant: GrantedRule, call: GateCall): boolean {
  const { server, tool, definitionDigest, callDigest } = grant;
  if (server !== call.serverId || tool !== call.toolName || callDigest !== undefined) return false;
  return definitionDigest === call.definitionDigest && holdsIn(grant, call);
}

/** Nobody is there to ask: it does not run, and the rule says what would have asked. */
function unasked({ rule, reason }: GateDecision): GateDecision {
  const why = `${reason}, and nobody is asked here. Do not wait for it, and go on without it`;
  return { decision: 'deny', rule: `agents.ask nothing (otherwise ${rule})`, reason: why };
}

/**
 * What is said of a call for which regular expressions of the policy have taken longer than they may. `what`: the call, for
 * people; `said`: by a rule that refuses or asks.
 */
export function outOfTime(what: string, said: GateDecision | undefined): GateDecision {
  if (said)
    return { ...said, rule: `${said.rule}, in doubt: ${OVER}`, reason: `${said.reason}. In doubt: ${OVER}` };
  return { decision: 'confirm', rule: `in doubt: ${OVER}`, reason: `A human has to allow ${what}: ${OVER}` };
}

const OVER = `regular expressions of the policy take longer than ${REGEX_LIMIT_MS} ms`;

/** What becomes of every call while the policy cannot be read. `what`: the call, for people. */
export function refusedUnread(what: string, { unreadable: why }: UnreadablePolicy): GateDecision {
  const reason = `The policy in mcp.json cannot be read, so ${what} is denied like every call: ${cleanLine(why, 1_000)}. Only the human can correct it`;
  return { decision: 'deny', rule: 'unreadable policy', reason };
}

function nameOf({ serverId, toolName }: GateCall): string {
  return cleanLine(`${serverId}/${toolName}`, 200);
}
