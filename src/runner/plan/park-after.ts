import type { Config } from '../../workflow/config/config-schema.ts';
import type { AgentAdapter } from '../agents/agent-adapter.ts';

/** What the configuration says of how long agents wait for a human with a process. */
export type ParkRules = Pick<Config, 'parkAfter' | 'agents'>;

/** An agent, as far as it matters whether it can be started again where it was. */
export type Parkable = { readonly agent: string | undefined; readonly resumes: AgentAdapter['resumes'] };

/**
 * How long an agent waits for a human before it is parked, in minutes, and why; 0: as long as it takes. What is said for the
 * agent counts; else it is parked only if it is known to go on with its session.
 */
export function parkAfter(
  { parkAfter: minutes, agents }: ParkRules,
  { agent, resumes }: Parkable,
): { readonly minutes: number; readonly because: string } {
  const own = agent !== undefined && Object.hasOwn(agents, agent) ? agents[agent]?.parkAfter : undefined;
  if (own !== undefined) return { minutes: own, because: 'as configured' };
  if (resumes === true) return { minutes, because: 'it goes on with its session' };
  const because = resumes === 'untested' ? 'nobody has tested that it goes on' : 'it cannot go on';
  return { minutes: 0, because: `${because} with its session` };
}
