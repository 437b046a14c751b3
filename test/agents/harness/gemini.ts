import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentCli } from './agent-cli.ts';
import type { AgentPlace } from './agent-place.ts';

/** Gemini CLI: its key and its quiet stand in the user's settings, the MCP server in a home of the run. */
export const gemini: AgentCli = {
  name: 'gemini',
  packageName: '@google/gemini-cli',
  async settle(home, { url }) {
    const file = join(home, '.gemini/settings.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        model: { name: 'gemini-2.5-flash' },
      }),
    );
    return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy' };
  },
  async byHand(prompt, { command, args, env }, { home, scratch }, sessionId) {
    const clifford = { command, args, env, timeout: 86_400_000, trust: true };
    const runHome = await homeOfRun({ home, scratch }, { mcpServers: { clifford } });
    const resumed = sessionId === undefined ? [] : ['--resume', sessionId];
    const flags = ['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust', ...resumed];
    return { args: [...flags, '-p', prompt], env: { GEMINI_CLI_HOME: runHome } };
  },
  ownPaths: [
    /^\.gemini\/(tmp|history)\//,
    /^\.gemini\/(projects|state)\.json$/,
    /^\.gemini\/installation_id$/,
  ],
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
  const own: unknown = JSON.parse(await readFile(join(users, 'settings.json'), 'utf8'));
  await writeFile(join(runs, 'settings.json'), JSON.stringify(Object.assign({}, own, settings)));
  return runHome;
}
