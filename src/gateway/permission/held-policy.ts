import type { AgentPolicy } from '../config/agent-policy.ts';
import { loadSettledConfig } from '../config/settled-config.ts';
import type { McpConfigReading } from '../config/mcp-config-reading.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import { allowsAgents, isTrustedByEnvironment, TRUST_VARIABLE } from '../config/trust.ts';
import { watchMcpConfig } from '../config/watch-mcp-config.ts';
import { HeldRules, labelled, withoutAllows, type LabelledPolicy } from '../policy/held-rules.ts';
import { PersonsWord } from './persons-word.ts';

/** Whose policy it is. */
export type PolicyPlace = {
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told, in a line, when the file is another one that nobody has trusted, and when it is not known what anybody trusts. */
  readonly report?: (line: string) => void;
};

/** The policy for agents' own tools as it holds now. */
export type PolicyNow =
  | UnreadablePolicy
  | { readonly agents: LabelledPolicy; readonly approvalTimeoutMs: number };

const HAS_CHANGED =
  'mcp.json has changed, and nobody has trusted it: what it denies counts beside what was denied before, and what it ' +
  'allows does not: a human has to look at it and run `clifford mcp trust`';

const UNREAD = 'it cannot be read what you trust';

const READ_AGAIN =
  'what you trust can be read again: mcp.json counts as it was trusted when this began, as far as it stands';

/** What holds, and which file and whose word that follows from. */
type Held = {
  readonly rules: HeldRules;
  readonly now: LabelledPolicy | undefined;
  /** Of the policy in the file that {@link Held.now} is made from. */
  readonly digest: string;
  /** The file as it was first. */
  readonly begun: {
    readonly agents: AgentPolicy;
    readonly digest: string;
    readonly isTrustedUnseen: boolean;
  };
};

/**
 * The policy for agents' own tools, from the first look on, as a run or an editor's agent has it. The file is read for each
 * call. What agents make of it, by whatever program, allows them nothing: it counts where it is stricter, and what was
 * refused or asked about before goes on to hold, until a person trusts the file as it is (`clifford mcp trust`), or all
 * begins anew.
 */
export class HeldPolicy {
  readonly place: PolicyPlace;
  #held: Held | undefined;
  /** Of the whole file, as it was when this began. */
  #begunAs: string | undefined;
  readonly #word: PersonsWord;
  /** Told that it cannot be read what anybody trusts. */
  #hasToldUnread = false;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(place: PolicyPlace) {
    this.place = place;
    this.#word = new PersonsWord(place);
  }

  /** Looks for the first time. What goes wrong is told to who asks next. */
  async begin(): Promise<void> {
    await this.now().catch(() => undefined);
  }

  /** What holds. Where it cannot be read what anybody trusts, that is the same as if nobody had trusted anything. */
  now(): Promise<PolicyNow> {
    // One after the other: what was read first is not to be taken for the newest.
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** An environment for agents: who trusts the file unseen trusts it as it was, not what they make of it. */
  forAgents<Env extends PolicyPlace['env']>(env: Env): Env {
    return env[TRUST_VARIABLE] === '1' ? { ...env, [TRUST_VARIABLE]: this.#begunAs ?? '' } : env;
  }

  /** Calls `listener` when something else may hold, until the returned function is called. */
  onChange(listener: () => void): () => void {
    return watchMcpConfig(this.place, listener);
  }

  async #read(): Promise<PolicyNow> {
    const reading = await loadSettledConfig(this.place);
    const { policy } = reading;
    this.#begunAs ??= reading.digest;
    if ('unreadable' in policy) return policy;
    const agents = await this.#take(policy, reading);
    if (agents) return { agents, approvalTimeoutMs: policy.approvalTimeoutMs };
    return { unreadable: 'mcp.json was changed too often since this began: clifford mcp trust' };
  }

  async #take({ agents }: PolicyConfig, reading: McpConfigReading): Promise<LabelledPolicy | undefined> {
    const { policy: digest } = reading.digests;
    // Before anybody's word is looked for: what the file refuses goes on to hold also where that cannot be read.
    const { held, hasChanged } = this.#follow(agents, reading);
    const { rules, begun } = held;
    const said = await this.#word.said({ begun: begun.digest, now: digest });
    if (said === 'trusts what it is') this.#begin(labelled(agents), digest, begun);
    else if (said === 'trusts what it was') {
      rules.trust(labelled(begun.agents));
      this.#held = { ...held, now: rules.with(agents) };
    } else if (hasChanged) this.place.report?.(HAS_CHANGED);
    const isUnread = said === 'unread' && !begun.isTrustedUnseen;
    this.#tellUnread(isUnread && allowsAgents(begun.agents));
    const now = this.#held?.now;
    // An unattended run goes on: nobody would answer.
    const isUnattended = isUnread && begun.agents.ask === 'nothing';
    return now && isUnattended ? { ...now, asksNobody: UNREAD } : now;
  }

  /** Each once: that what the file allows does not count, and that it does again. */
  #tellUnread(isUnread: boolean): void {
    if (isUnread === this.#hasToldUnread) return;
    this.#hasToldUnread = isUnread;
    const line = `${UNREAD}, so nothing that mcp.json allows agents counts: ${this.#word.problem}`;
    this.place.report?.(isUnread ? line : READ_AGAIN);
  }

  /** Goes on with the file as it is, trusted by nobody but the environment. `hasChanged`: it is another one. */
  #follow(
    agents: AgentPolicy,
    reading: McpConfigReading,
  ): { readonly held: Held; readonly hasChanged: boolean } {
    const { policy: digest } = reading.digests;
    const { root, env } = this.place;
    if (this.#held) {
      const { rules } = this.#held;
      const hasChanged = this.#held.digest !== digest;
      if (hasChanged) this.#held = { ...this.#held, now: rules.with(agents), digest };
      return { held: this.#held, hasChanged };
    }
    // Trusted unseen is what was there when this began, also where that could not be read.
    const isTrustedUnseen = reading.digest === this.#begunAs && isTrustedByEnvironment(root, reading, env);
    const file = labelled(agents);
    const begun = { agents, digest, isTrustedUnseen };
    return {
      held: this.#begin(isTrustedUnseen ? file : withoutAllows(file), digest, begun),
      hasChanged: false,
    };
  }

  #begin(now: LabelledPolicy, digest: string, begun: Held['begun']): Held {
    const held = { rules: new HeldRules(now), now, digest, begun };
    this.#held = held;
    return held;
  }
}
