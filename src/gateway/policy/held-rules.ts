import { digestOf } from '../../lib/digest.ts';
import {
  askLevels,
  DEFAULT_AGENT_POLICY,
  type AgentPolicy,
  type AgentRule,
  type AskLevel,
} from '../config/agent-policy.ts';

/** A rule, and what it is called. */
export type LabelledRule = { readonly rule: AgentRule; readonly label: string };

/** The `agents` of a policy, its rules called by where they stand. */
export type LabelledPolicy = Pick<AgentPolicy, 'ask' | 'unasked'> & {
  readonly rules: readonly LabelledRule[];
  /** Why nobody is asked: what a human would be is refused. */
  readonly asksNobody?: string;
};

/** So many different rules are held, those that are not in the file any more among them. */
const MAX_HELD = 10_000;

/** Rules by their places in `policy.agents.rules`. */
export function labelled({ rules, ...rest }: AgentPolicy): LabelledPolicy {
  return { ...rest, rules: rules.map((rule, index) => ({ rule, label: `agents.rules[${index}]` })) };
}

/** What counts of a policy that nobody has trusted: what refuses and asks. */
export function withoutAllows({ ask, rules, unasked }: LabelledPolicy): LabelledPolicy {
  return {
    ask: ask === 'nothing' ? DEFAULT_AGENT_POLICY.ask : ask,
    rules: rules.filter(({ rule }) => rule.decision !== 'allow'),
    ...(unasked === 'stop' && { unasked }),
  };
}

/**
 * What holds for agents while the file may be written by them: it may become stricter at any time, and allows nothing that
 * it did not allow when this began. What it has refused or asked about since then goes on to hold, also once it is gone.
 */
export class HeldRules {
  #begun: LabelledPolicy;
  /** All that refuses or asks, by their digests. */
  readonly #strict = new Map<string, LabelledRule>();
  #asksEverything = false;
  #stops = false;

  /** @param begun - What counts of the file as it was when this began. */
  constructor(begun: LabelledPolicy) {
    this.#begun = begun;
    for (const each of begun.rules) this.#keep(each);
    this.#note(begun);
  }

  /** The file was trusted as it was when this began. `begun`: the whole of it. */
  trust(begun: LabelledPolicy): void {
    this.#begun = begun;
  }

  /** What holds with the file as it is now, which nobody has trusted. `undefined`: there is more than can be held. */
  with(now: AgentPolicy): LabelledPolicy | undefined {
    const file = labelled(now);
    for (const each of file.rules) this.#keep(each);
    this.#note(now);
    if (this.#strict.size > MAX_HELD) return undefined;
    const standing = new Set(file.rules.map(({ rule }) => digestOf(rule)));
    const allowed = new Set(this.#begun.rules.filter(isAllow).map(({ rule }) => digestOf(rule)));
    const counts = file.rules.filter((each) => !isAllow(each) || allowed.has(digestOf(each.rule)));
    const gone = [...this.#strict].filter(([digest]) => !standing.has(digest)).map(([, each]) => each);
    const rules = [
      ...counts,
      ...gone.map(({ rule, label }) => ({ rule, label: `${label} from before mcp.json was changed` })),
    ];
    const unasked = this.#stops ? 'stop' : now.unasked === this.#begun.unasked ? now.unasked : undefined;
    const ask = this.#asksEverything ? 'everything' : strictest(this.#begun.ask, now.ask);
    return { ask, rules, ...(unasked !== undefined && { unasked }) };
  }

  #keep(each: LabelledRule): void {
    if (isAllow(each)) return;
    const digest = digestOf(each.rule);
    if (this.#strict.size <= MAX_HELD && !this.#strict.has(digest)) this.#strict.set(digest, each);
  }

  /** What is no default was said by somebody. */
  #note({ ask, unasked }: Pick<AgentPolicy, 'ask' | 'unasked'>): void {
    this.#asksEverything ||= ask === 'everything';
    this.#stops ||= unasked === 'stop';
  }
}

function isAllow({ rule }: LabelledRule): boolean {
  return rule.decision === 'allow';
}

/** The levels stand in this order. */
function strictest(one: AskLevel, other: AskLevel): AskLevel {
  return askLevels.indexOf(one) < askLevels.indexOf(other) ? one : other;
}
