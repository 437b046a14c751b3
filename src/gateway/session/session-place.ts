import type { ConfigMemory } from '../../workflow/config/config-file.ts';
import type { AgentContext } from '../../workflow/project/agent.ts';

/** Where a client's server runs, and whom it tells about problems. */
export type SessionPlace = Pick<AgentContext, 'env' | 'report'> & {
  /** Absolute. */
  readonly root: string;
  readonly configMemory: ConfigMemory;
};
