import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentPlace } from './agent-place.ts';

/** What somebody who uses all the agents keeps in the home and in the project. */
const files: Readonly<Record<string, string>> = {
  '.claude/CLAUDE.md': 'Be kind.\n',
  '.claude/settings.json': '{ "includeCoAuthoredBy": false }\n',
  '.codex/AGENTS.md': 'Be kind.\n',
  '.config/opencode/AGENTS.md': 'Be kind.\n',
  '.copilot/mcp-config.json': '{ "mcpServers": {} }\n',
  '.cursor/mcp.json': '{ "mcpServers": {} }\n',
  '.gemini/GEMINI.md': 'Be kind.\n',
  '.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.com\n',
  'project/.codex/config.toml': '# Ours\n',
  'project/.cursor/mcp.json': '{\n  // Ours\n  "mcpServers": {}\n}\n',
  'project/.gemini/settings.json': '{ "ui": { "hideTips": true } }\n',
  'project/.mcp.json': '{ "mcpServers": {} }\n',
  'project/.vscode/mcp.json': '{ "servers": {} }\n',
  'project/AGENTS.md': 'Write tests.\n',
  'project/opencode.json': '{ "$schema": "https://opencode.ai/config.json" }\n',
};

/** Writes files that are a user's own, which nothing may change. Call it before an agent is settled. */
export async function writeUsersFiles({ home }: Pick<AgentPlace, 'home'>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
}
