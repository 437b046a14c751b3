import { realpath } from 'node:fs/promises';
import type { AgentPolicy } from '../config/agent-policy.ts';
import { loadSettledConfig } from '../config/settled-config.ts';
import type { McpConfigReading } from '../config/mcp-config-reading.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import { isTrustedByEnvironment, TRUST_VARIABLE } from '../config/trust.ts';
import { readTrust, type TrustedProject } from '../config/trust-store.ts';
import { watchMcpConfig } from '../config/watch-mcp-config.ts';
import { HeldRules, labelled, withoutAllows, type LabelledPolicy } from '../policy/held-rules.ts';

/** Whose policy it is. */
export type PolicyPlace = {
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told, in a line, when the file is another one that nobody has trusted. */
  readonly report?: (line: string) => void;
};

/** The policy for agents' own tools as it holds now. */
export type PolicyNow =
  | UnreadablePolicy
  | { readonly agents: LabelledPolicy; readonly approvalTimeoutMs: number };

const HAS_CHANGED =
  'mcp.json has changed, and nobody has trusted it: what it refuses counts beside what was refused before, and what it ' +
  'allows does not: a human has to look at it and run `clifford mcp trust`';

/** What holds, and which file and whose word that follows from. */
type Held = {
  readonly rules: HeldRules;
  readonly now: LabelledPolicy | undefined;
  /** Of the policy in the file that {@link Held.now} is made from. */
  readonly digest: string;
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
  /** When somebody said the word that counts, RFC 3339. */
  #trustedAt: string | undefined;
  /** When it could last not be read what anybody has said, RFC 3339. */
  #unreadAt = '';
  #reading: Promise<unknown> = Promise.resolve();

  constructor(place: PolicyPlace) {
    this.place = place;
  }

  /** Looks for the first time. What goes wrong is told to who asks next. */
  async begin(): Promise<void> {
    await this.now().catch(() => undefined);
  }

  /** What holds. @throws {CliffordError} `TRUST_UNREADABLE` */
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
    const isFirst = this.#held === undefined;
    // Before anybody's word is looked for: what the file refuses goes on to hold also where that cannot be read.
    const hasChanged = this.#follow(agents, reading);
    const word = await this.#word();
    // An old word is for an old file, which an agent may have put back.
    const isNew = isFirst || (word?.at !== this.#trustedAt && (word?.at ?? '') >= this.#unreadAt);
    const isPersons = word?.policy === digest && isNew;
    if (isFirst || isPersons) this.#trustedAt = word?.at;
    if (isPersons) this.#begin(labelled(agents), digest);
    else if (hasChanged) this.place.report?.(HAS_CHANGED);
    return this.#held?.now;
  }

  /** Goes on with the file as it is, trusted by nobody but the environment. Returns whether it is another one. */
  #follow(agents: AgentPolicy, reading: McpConfigReading): boolean {
    const { policy: digest } = reading.digests;
    const { root, env } = this.place;
    if (this.#held) {
      const { rules } = this.#held;
      const hasChanged = this.#held.digest !== digest;
      if (hasChanged) this.#held = { rules, now: rules.with(agents), digest };
      return hasChanged;
    }
    // Trusted unseen is what was there when this began, also where that could not be read.
    const isUnseen = reading.digest === this.#begunAs && isTrustedByEnvironment(root, reading, env);
    const file = labelled(agents);
    this.#begin(isUnseen ? file : withoutAllows(file), digest);
    return false;
  }

  #begin(now: LabelledPolicy, digest: string): void {
    this.#held = { rules: new HeldRules(now), now, digest };
  }

  async #word(): Promise<TrustedProject | undefined> {
    const { root, env } = this.place;
    try {
      return await readTrust(env, await realpath(root));
    } catch (error) {
      this.#unreadAt = new Date().toISOString();
      throw error;
    }
  }
}
