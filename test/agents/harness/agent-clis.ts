import type { AgentCli } from './agent-cli.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** The agents the tests run. */
export const agentClis: readonly AgentCli[] = [opencode, claude, codex, gemini, copilot];
