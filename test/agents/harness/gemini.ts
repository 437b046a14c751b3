import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settling } from './settling.ts';
import type { AgentCli } from './agent-cli.ts';
import type { AgentPlace } from './agent-place.ts';

/** Gemini CLI: its key and its quiet stand in the user's settings, the MCP server in a home of the run. */
export const gemini: AgentCli = {
  name: 'gemini',
  packageName: '@google/gemini-cli',
  settle: settling('gemini'),
  async register(home, mcp, timeout) {
    const file = join(home, '.gemini/settings.json');
    await writeFile(
      file,
      await withSettings(file, { mcpServers: { clifford: { ...mcp, timeout, trust: true } } }),
    );
  },
  async byHand(prompt, mcp, { home, scratch }, sessionId) {
    const clifford = { ...mcp, timeout: 86_400_000, trust: true };
    const injected = mcp
      ? { GEMINI_CLI_HOME: await homeOfRun({ home, scratch }, { mcpServers: { clifford } }) }
      : {};
    const resumed = sessionId === undefined ? [] : ['--resume', sessionId];
    const flags = ['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust', ...resumed];
    return { args: [...flags, '-p', prompt], env: injected };
  },
  ownPaths: [/^\.gemini\/(?!GEMINI\.md$|settings\.json$)/, /^\.cache\//],
  sessionFiles: /^\.gemini\/tmp\/.*\/chats\/.*\.jsonl?$/,
  sessionId: /"session_id":"([\w-]+)"/,
};

/**
 * A home for one run: its settings are the user's and these, all else is the user's own.
 *
 * Settings of the system, which a variable can name, count only where all above them belongs to root.
 */
async function homeOfRun(
  { home, scratch }: Pick<AgentPlace, 'home' | 'scratch'>,
  settings: object,
): Promise<string> {
  const users = join(home, '.gemini');
  const runHome = join(scratch, 'home-of-run');
  const runs = join(runHome, '.gemini');
  await rm(runs, { recursive: true, force: true });
  await mkdir(runs, { recursive: true });
  // Where it keeps its sessions; a link to it has to lead somewhere.
  await mkdir(join(users, 'tmp'), { recursive: true });
  for (const name of await readdir(users)) {
    if (name !== 'settings.json') await symlink(join(users, name), join(runs, name));
  }
  await writeFile(join(runs, 'settings.json'), await withSettings(join(users, 'settings.json'), settings));
  return runHome;
}

/** The text of a settings file with these settings in place of its own. */
async function withSettings(file: string, settings: object): Promise<string> {
  const own: unknown = JSON.parse(await readFile(file, 'utf8'));
  return JSON.stringify(Object.assign({}, own, settings));
}
