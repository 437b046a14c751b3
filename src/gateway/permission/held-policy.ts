import { realpath } from 'node:fs/promises';
import { loadSettledConfig } from '../config/settled-config.ts';
import type { McpConfigReading } from '../config/mcp-config-reading.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import { isTrustedByEnvironment, TRUST_VARIABLE } from '../config/trust.ts';
import { readTrust } from '../config/trust-store.ts';
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
    const { root, env } = this.place;
    const word = await readTrust(env, await realpath(root));
    const isFirst = this.#held === undefined;
    // An old word is for an old file, which an agent may have put back.
    const isPersons = word?.policy === digest && (isFirst || word.at !== this.#trustedAt);
    if (isFirst || isPersons) this.#trustedAt = word?.at;
    if (isPersons || !this.#held) {
      // Trusted unseen is what was there when this began, also where that could not be read.
      const isBegun = reading.digest === this.#begunAs;
      const counts = isPersons || (isBegun && isTrustedByEnvironment(root, reading, env));
      const now = counts ? labelled(agents) : withoutAllows(labelled(agents));
      this.#held = { rules: new HeldRules(now), now, digest };
    } else if (this.#held.digest !== digest) {
      const { rules } = this.#held;
      this.#held = { rules, now: rules.with(agents), digest };
      this.place.report?.(HAS_CHANGED);
    }
    return this.#held.now;
  }
}
