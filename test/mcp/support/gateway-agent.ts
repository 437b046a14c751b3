import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { logEnv } from '../../helpers/log-env.ts';
import { openTestProject, tempRoot } from '../../helpers/temp-project.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { connectAgent } from './connect-agent.ts';
import type { TestAgent } from './connect-agent.ts';

/** An entry of `servers` that runs a fixture. */
export function fixture(
  file: string,
  { args = [], ...rest }: { args?: readonly string[]; [key: string]: unknown } = {},
): object {
  return { command: process.execPath, args: [fixtureProgram(`mcp-servers/${file}`), ...args], ...rest };
}

/** What a test of the gateway runs in: nothing of the tester's own state, and a project that is trusted. */
export function gatewayEnv(root: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', CLIFFORD_TEST_RUN = '' } = process.env;
  const own = { HOME: root, XDG_STATE_HOME: join(root, '.local/state') };
  return { PATH, ...own, CLIFFORD_TEST_RUN, CLIFFORD_TRUST_PROJECT: '1', ...logEnv(), ...env };
}

/** Every call of every server runs. */
export const allowAll = { allowlist: [{ server: '*', tool: '*' }] };

export type GatewayAgent = TestAgent & {
  readonly root: string;
  readonly project: Project;
  /** What was said on the server's stderr. */
  readonly told: string[];
  /** Resolves when something with these words is said on stderr. */
  readonly untilTold: (words: string) => Promise<void>;
};

/** An agent with servers behind Clifford, in a project of its own or in `root`. */
export async function gatewayAgent(
  mcpJson: object,
  {
    root,
    env = {},
    ...options
  }: Omit<NonNullable<Parameters<typeof connectAgent>[1]>, 'env'> & {
    root?: string;
    env?: Readonly<Record<string, string>>;
  } = {},
): Promise<GatewayAgent> {
  const folder = root ?? (await tempRoot());
  await writeMcpJson(folder, mcpJson);
  const project = await openTestProject(folder);
  const told: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const tell = (problem: unknown) => {
    const line = problem instanceof Error ? String(problem.stack) : String(problem);
    told.push(line);
    for (const listener of listeners) listener(line);
  };
  const agent = await connectAgent(folder, {
    env: gatewayEnv(folder, env),
    onServer: (server) => server.on('error', tell),
    ...options,
  });
  const untilTold = (words: string) =>
    new Promise<void>((resolve) => {
      listeners.add((line) => {
        if (line.includes(words)) resolve();
      });
    });
  return { ...agent, root: folder, project, told, untilTold };
}

/** The names of the tools that an agent lists, without Clifford's own. */
export async function listed({ client }: Pick<TestAgent, 'client'>): Promise<string[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));
}

/** Resolves when the agent is told that its list of tools is out of date: it has to have one. */
export function untilToolsChange(client: Client): Promise<void> {
  return new Promise((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
}

/** Lists whenever the agent is told that its list is out of date, until a tool is there. */
export async function untilListed({ client }: Pick<TestAgent, 'client'>, name: string): Promise<void> {
  for (;;) {
    const changed = untilToolsChange(client);
    if ((await listed({ client })).includes(name)) return;
    await changed;
  }
}
