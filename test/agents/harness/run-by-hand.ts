import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { codeOf } from '../../../src/lib/system-error.ts';
import { collectOutput } from '../../helpers/ended-process.ts';
import type { Ended } from '../../helpers/ended-process.ts';
import type { AgentCli, McpCommand } from './agent-cli.ts';
import type { AgentPlace } from './agent-place.ts';
import { agentEnvironment, programOf } from './installed.ts';

/** How a run ended, and what it printed. */
export type HandRunEnd = Ended & { readonly args: readonly string[] };

/** What a run by hand is started with. */
export type HandRunOptions = {
  readonly place: AgentPlace;
  readonly agent: AgentCli;
  readonly prompt: string;
  /** What {@link AgentCli.settle} returned. */
  readonly env: Readonly<Record<string, string>>;
  /** For this run only; `undefined`: what is registered. */
  readonly mcp: McpCommand | undefined;
  readonly sessionId?: string;
  /** After it the agent's process group is killed, in ms. */
  readonly limitMs?: number;
};

/** Clifford's MCP server as it was built, for the sprint in this folder. */
export function cliffordMcp(project: string, sprintDir?: string): McpCommand {
  return {
    command: process.execPath,
    args: [join(import.meta.dirname, '../../../dist/mcp-entry.js')],
    env: {
      CLIFFORD_PROJECT_ROOT: project,
      ...(sprintDir === undefined ? {} : { CURRENT_SPRINT_DIR: sprintDir }),
    },
  };
}

/** Runs an agent to its end, in a process group of its own, without Clifford's runner. */
export async function runByHand(options: HandRunOptions): Promise<HandRunEnd> {
  const { agent, prompt, mcp, place, limitMs = 120_000 } = options;
  const run = await agent.byHand(prompt, mcp, place, options.sessionId);
  const child = spawn(programOf(agent), run.args, {
    cwd: place.project,
    env: agentEnvironment(place, { ...options.env, ...run.env }),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const timer = setTimeout(() => killGroup(child.pid), limitMs);
  try {
    return { args: run.args, ...(await collectOutput(child, run.input).ended) };
  } finally {
    clearTimeout(timer);
    killGroup(child.pid);
  }
}

/** Ends what is left of a process group. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
