import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentCli } from './agent-cli.ts';

/** Codex: its provider stands in the user's configuration, the MCP server in flags. */
export const codex: AgentCli = {
  name: 'codex',
  packageName: '@openai/codex',
  async settle(home, { url }) {
    const file = join(home, '.codex/config.toml');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      `model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false
web_search = "disabled"

[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"

[analytics]
enabled = false

[features]
plugins = false
`,
    );
    return { SCRIPTED_KEY: 'sk-dummy' };
  },
  async byHand(prompt, { command, args, env }, { project }, sessionId) {
    const settings = {
      command: JSON.stringify(command),
      args: JSON.stringify(args),
      env: `{${Object.entries(env)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(',')}}`,
      tool_timeout_sec: '86400',
      startup_timeout_sec: '30',
      default_tools_approval_mode: '"approve"',
      required: 'true',
    };
    const flags = Object.entries(settings).flatMap(([key, value]) => [
      '-c',
      `mcp_servers.clifford.${key}=${value}`,
    ]);
    const free = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const exec = sessionId === undefined ? ['exec', '-C', project] : ['exec', 'resume', sessionId];
    return { args: [...exec, ...free, ...flags, '-'], env: {}, input: prompt };
  },
  ownPaths: [/^\.codex\/(?!config\.toml$|AGENTS\.md$)/],
  sessionId: /"thread_id":"([\w-]+)"/,
};
