import type { Agent } from '../../workflow/project/agent.ts';
import type { AgentContext } from '../../workflow/project/agent-context.ts';
import { assertMayAct } from '../../workflow/task/own-task.ts';
import type { Project } from '../../workflow/project/project.ts';
import { callerId } from './caller.ts';
import type { Cli } from '../cli.ts';

/**
 * The agent that typed the command: its attempt when a runner started it, else the process that
 * called.
 *
 * @throws {CliffordError} `ATTEMPT_ENDED` when another attempt may be at work in its place.
 */
export function shellAgent(
  { env, warn }: Pick<Cli, 'env' | 'warn'>,
  { state }: Project,
  client = 'clifford ask',
): { agent: Agent; context: AgentContext } {
  const runId = env['CLIFFORD_RUN_ID'];
  const agent = { id: runId || callerId(), ...(runId ? { runId } : {}), client };
  const context: AgentContext = {
    env,
    report: (problem) => warn(`note: ${String(problem)}`),
    lastStream: undefined,
    ownTask: undefined,
  };
  assertMayAct(state, agent, context);
  return { agent, context };
}
