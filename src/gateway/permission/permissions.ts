import { digestOf } from '../../lib/digest.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import type { AgentCall } from './agent-call.ts';
import { serverOfAgent } from '../../events/agent-server.ts';
import type { HeldPolicy } from './held-policy.ts';

/** Who asks for permission, and where it works. */
export type Permissions = {
  readonly project: Project;
  readonly agent: Agent;
  /** The agent's name. */
  readonly name: string;
  readonly stream: string;
  readonly taskId?: string;
  readonly policy: HeldPolicy;
  /** Whether who asks still lives: a yes is not used up by one that has ended, also before that was noticed. Default: it does. */
  readonly isAlive?: () => boolean;
  /** Told of each request that a human decides by, which may be answered already. */
  readonly onAsked?: (request: RequestState) => void;
};

/** The call as the policy sees it. */
export function judgedCall(call: AgentCall, { name, stream, taskId }: Permissions): AgentGateCall {
  const digest = digestOf([serverOfAgent(name), call.kind, call.args]);
  return { ...call, agent: name, digest, stream, taskId };
}
