import type { Agent, AgentContext } from '../../workflow/project/agent.ts';
import { assertMayAct } from '../../workflow/task/own-task.ts';
import type { Project } from '../../workflow/project/project.ts';
import { callerId } from './caller.ts';
import type { Cli } from '../cli.ts';
import { shellClient } from '../../views/requests/asker.ts';
import { attemptHere } from '../../workflow/project/who-calls.ts';

/**
 * The agent that typed the command: its attempt when a runner started it, else the process that
 * called.
 *
 * @throws {CliffordError} `ATTEMPT_ENDED` when another attempt may be at work in its place.
 */
export function shellAgent(
  cli: Pick<Cli, 'env' | 'stdin' | 'note'>,
  project: Project,
  client = shellClient,
): { agent: Agent; context: AgentContext } {
  const { env, note } = cli;
  const runId = attemptHere(cli.env, project);
  const agent = { id: runId ?? callerId(), runId, client };
  const context: AgentContext = {
    env,
    report: (problem) => note(String(problem)),
    lastStream: undefined,
    ownTask: undefined,
  };
  assertMayAct(project.state, agent, context);
  return { agent, context };
}
