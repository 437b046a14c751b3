import type { AgentCli } from './agent-cli.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** The agents the tests run. */
export const agentClis: readonly AgentCli[] = [opencode, claude, codex, gemini, copilot];

/** The ways to speak with them: each by its command line and over the Agent Client Protocol. */
export const ways: readonly {
  readonly name: AgentCli['name'];
  readonly agent: AgentCli;
  readonly via: 'cli' | 'acp';
}[] = agentClis.flatMap((agent) =>
  (['cli', 'acp'] as const).map((via) => ({ name: agent.name, agent, via })),
);
