import { definitionStanding } from '../../../workflow/policy/pins.ts';
import type { Project } from '../../../workflow/project.ts';
import type { Place } from '../../tool.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import { PolicyGate } from '../policy/policy-gate.ts';
import { believedAnnotations } from '../policy/tool-annotations.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { Target } from './target.ts';
import { throughLinks } from './through-links.ts';

/** What is in force now. */
export type Law = {
  readonly policy: PolicyConfig | UnreadablePolicy;
  /** The configuration of a server; `undefined`: it is not among them any more. */
  readonly configOf: (serverId: string) => McpServerConfig | undefined;
};

type Granted = Project['state']['policyRules'];

/** Judges calls by the law in force and by what humans granted, as far as the log was read. */
export class Judge {
  readonly #law: Law;
  readonly #listeners = new Set<() => void>();
  #made: { readonly policy: Law['policy']; readonly granted: Granted; readonly gate: PolicyGate } | undefined;

  constructor(law: Law) {
    this.#law = law;
  }

  /** Calls `listener` when the law has changed, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The law has changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  judge(project: Project, target: Target, args: RawObject, { stream, taskId }: Place): GateDecision {
    const { serverId, name, definition, digest } = target;
    const config = this.#law.configOf(serverId);
    return this.#gate(project).check({
      serverId,
      toolName: name,
      args,
      annotations: believedAnnotations(definition, config?.trust ?? 'untrusted'),
      stream,
      taskId,
      definition: definitionStanding(project.state.pins, { server: serverId, tool: name, digest }),
      definitionDigest: digest,
      cwd: config?.transport === 'stdio' ? config.cwd : undefined,
    });
  }

  /** Whether everything of this name would be refused. `definition`: of a tool. */
  isHidden(
    project: Project,
    { serverId, name, definition = {} }: { serverId: string; name: string; definition?: RawObject },
    { stream, taskId }: Place,
  ): boolean {
    const trust = this.#law.configOf(serverId)?.trust ?? 'untrusted';
    const annotations = believedAnnotations(definition, trust);
    return this.#gate(project).isHidden(serverId, name, { annotations, stream, taskId });
  }

  /** How long a human has to decide, in ms. */
  get approvalTimeoutMs(): number | undefined {
    const { policy } = this.#law;
    return 'unreadable' in policy ? undefined : policy.approvalTimeoutMs;
  }

  trustOf(serverId: string): McpServerConfig['trust'] {
    return this.#law.configOf(serverId)?.trust ?? 'untrusted';
  }

  #gate({ root, state }: Project): PolicyGate {
    const { policy } = this.#law;
    const granted = state.policyRules;
    if (this.#made?.policy !== policy || this.#made.granted !== granted)
      this.#made = { policy, granted, gate: new PolicyGate(policy, granted, { root, throughLinks }) };
    return this.#made.gate;
  }
}
