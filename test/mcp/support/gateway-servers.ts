import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HttpServerConfig, StdioServerConfig } from '../../../src/gateway/config/server-config.ts';
import type { ManagerEvent, RawObject } from '../../../src/gateway/server/manager-event.ts';
import { McpManager } from '../../../src/gateway/server/mcp-manager.ts';
import type { McpManagerOptions } from '../../../src/gateway/server/mcp-manager.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const repository = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);

/** The programs of servers from npm. */
export const published = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
};

const common = {
  disabled: false,
  autoStart: true,
  timeoutMs: 60_000,
  startTimeoutMs: 60_000,
  trust: 'untrusted',
} as const;

/** A server that is a program: of test/fixtures/mcp-servers, or at an absolute path. */
export function program(
  script: string,
  { args = [], ...changes }: Partial<StdioServerConfig> = {},
): StdioServerConfig {
  return {
    ...common,
    id: 'it',
    transport: 'stdio',
    command: process.execPath,
    args: [script.startsWith('/') ? script : fixtureProgram(`mcp-servers/${script}`), ...args],
    cwd: repository,
    env: {},
    ...changes,
  };
}

/** A server behind a URL. */
export function remote(url: string, changes: Partial<HttpServerConfig> = {}): HttpServerConfig {
  return { ...common, id: 'it', transport: 'http', url, headers: {}, allowInsecure: false, ...changes };
}

/** A manager for this test, with everything it tells. Closed with it. */
export async function startManager(options: Partial<McpManagerOptions> = {}): Promise<{
  manager: McpManager;
  events: ManagerEvent[];
  reports: string[];
  stateDir: string;
}> {
  const stateDir = join(await tempRoot(), '.clifford');
  const reports: string[] = [];
  const manager = new McpManager({
    stateDir,
    env: process.env,
    report: (problem) => reports.push(problem),
    ...options,
  });
  onTestFinished(() => manager.close());
  const events: ManagerEvent[] = [];
  manager.on((event) => events.push(event));
  return { manager, events, reports, stateDir };
}

/** What a promise is rejected with. Handled from now on, so that it may be awaited later. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

/** The text of a tool's result. */
export function textOf(result: RawObject): string {
  const [first] = result['content'] as { text: string }[];
  return first?.text ?? '';
}

/** Whether a process runs, where there is a `/proc`; one that is dead and not reaped does not. */
export function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
