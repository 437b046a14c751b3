import { definitionStanding } from '../../workflow/policy/pins.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { CallPlace } from '../call/tool.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import { PolicyGate } from '../policy/policy-gate.ts';
import { believedAnnotations } from '../tools/tool-annotations.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { Target } from '../call/target.ts';
import { throughLinks } from '../call/through-links.ts';

/** What is in force now. */
export type PolicyInForce = {
  readonly policy: PolicyConfig | UnreadablePolicy;
  /** The configuration of a server; `undefined`: it is not among them any more. */
  readonly configOf: (serverId: string) => McpServerConfig | undefined;
};

type Granted = Project['state']['policyRules'];

/** Judges calls by the policy in force and by what humans granted, as far as the log was read. */
export class CallPolicy {
  readonly #inForce: PolicyInForce;
  readonly #listeners = new Set<() => void>();
  #made:
    | { readonly policy: PolicyInForce['policy']; readonly granted: Granted; readonly gate: PolicyGate }
    | undefined;

  constructor(inForce: PolicyInForce) {
    this.#inForce = inForce;
  }

  /** Calls `listener` when the policy in force has changed, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The policy in force has changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  decide(project: Project, target: Target, args: RawObject, { stream, taskId }: CallPlace): GateDecision {
    const { serverId, name, definition, digest } = target;
    const config = this.#inForce.configOf(serverId);
    return this.#gate(project).check({
      serverId,
      toolName: name,
      args,
      annotations: believedAnnotations(definition, this.trustOf(serverId)),
      stream,
      taskId,
      definition: definitionStanding(project.state.pins, { server: serverId, tool: name, digest }),
      definitionDigest: digest,
      cwd: config?.transport === 'stdio' ? config.cwd : null,
    });
  }

  /** Whether everything of this name would be refused. `definition`: of a tool. */
  isHidden(
    project: Project,
    { serverId, name, definition = {} }: { serverId: string; name: string; definition?: RawObject },
    { stream, taskId }: CallPlace,
  ): boolean {
    const annotations = believedAnnotations(definition, this.trustOf(serverId));
    return this.#gate(project).isHidden(serverId, name, { annotations, stream, taskId });
  }

  /** How long a human has to decide, in ms. */
  get approvalTimeoutMs(): number | undefined {
    const { policy } = this.#inForce;
    return 'unreadable' in policy ? undefined : policy.approvalTimeoutMs;
  }

  trustOf(serverId: string): McpServerConfig['trust'] {
    return this.#inForce.configOf(serverId)?.trust ?? 'untrusted';
  }

  #gate({ root, state }: Project): PolicyGate {
    const { policy } = this.#inForce;
    const granted = state.policyRules;
    if (this.#made?.policy !== policy || this.#made.granted !== granted)
      this.#made = { policy, granted, gate: new PolicyGate(policy, granted, { root, throughLinks }) };
    return this.#made.gate;
  }
}
