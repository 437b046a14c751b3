import { count } from '../../lib/text/count.ts';
import { CliffordError } from '../../errors.ts';
import type { McpServerConfig } from '../../gateway/config/server-config.ts';
import type { McpManager } from '../../gateway/server/mcp-manager.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { broken, good, warning, type Check, type DoctorContext } from '../doctor/check.ts';
import { duration } from '../../lib/time/duration.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { reach, type Reached } from './reach.ts';

/** What was found out about a server, and the names of its tools: `undefined` when they are not known. */
export type CheckedServer = {
  readonly id: string;
  readonly checks: readonly Check[];
  readonly tools: readonly string[] | undefined;
};

/** The share of `startTimeout` that a start may take before it is too close to it. */
const CLOSE_SHARE = 0.6;

/** How long a server that has started may take to answer a ping, in ms. */
const PING_MS = 5_000;

/** Starts a server, has it list its tools, pings it and stops it, with the time each takes. */
export async function checkMcpServer(
  config: McpServerConfig,
  { env, manager }: Pick<DoctorContext, 'env'> & { readonly manager: McpManager },
): Promise<CheckedServer> {
  const { id } = config;
  const program = missingProgram(config, env);
  if (program) return { id, checks: [program], tools: undefined };
  const found = await reach(manager, config, config.startTimeoutMs * 2);
  const check = found.isReady ? await readyCheck(config, found, manager) : brokenCheck(config, found);
  const near = found.isReady ? nearLimit(config, found) : [];
  const tools = found.isReady ? found.tools.map(({ name }) => name) : undefined;
  return { id, checks: [check, ...near], tools };
}

function missingProgram(config: McpServerConfig, env: DoctorContext['env']): Check | undefined {
  if (config.transport !== 'stdio') return undefined;
  const { id, command, cwd } = config;
  // As the system looks for it: on the PATH that the program is given.
  const path = config.env['PATH'] ?? env['PATH'];
  if (process.platform === 'win32' || findExecutable(command, { cwd, path }) !== undefined) return undefined;
  const text = `${id}: ${visibleLine(command)} ${command.includes('/') ? 'is not a program' : 'is not on the PATH'}`;
  const fix = `Install it, or write another "command" for ${id} into mcp.json: a path from its folder is fine`;
  return broken(`server:${id}`, text, fix);
}

async function readyCheck(
  { id }: McpServerConfig,
  { tools, server, problem, tookMs }: Reached,
  manager: McpManager,
): Promise<Check> {
  const name = `server:${id}`;
  const startedAt = performance.now();
  const silence = await pingProblem(manager, id);
  const pingMs = since(startedAt);
  const stoppingAt = performance.now();
  await manager.disconnect(id);
  const stopMs = since(stoppingAt);
  const wrong = silence ?? problem;
  const who = visibleLine(`${server?.name ?? ''} ${server?.version ?? ''}`);
  const facts = { startMs: tookMs, pingMs, stopMs, tools: tools.length, server };
  const times =
    `started and listed ${count(tools.length, 'tool')} in ${duration(tookMs)}, ` +
    `answers in ${duration(pingMs)}, stopped in ${duration(stopMs)}`;
  const text = `${id} (${who}): ${times}`;
  if (wrong === undefined) return good(name, text, facts);
  return warning(name, `${text}; but ${wrong}`, 'It works so far; tell whoever makes the server', facts);
}

function brokenCheck({ id, transport }: McpServerConfig, { problem = 'it did not start' }: Reached): Check {
  const fix =
    transport === 'stdio'
      ? `${fixOf(problem)}. What it printed is in .clifford/mcp/${id}.log`
      : 'See whether it runs there and takes the headers, and whether "url" and "transport" are right';
  return broken(`server:${id}`, `${id}: ${problem}`, fix);
}

function fixOf(problem: string): string {
  if (/could not be started/.test(problem)) return 'Correct "command" and "cwd" in mcp.json';
  if (/did not answer `initialize`|not ready/.test(problem))
    return 'See whether it speaks MCP over stdio, or raise "startTimeout" in mcp.json';
  return 'See what it printed, and correct "command", "args" and "env" in mcp.json';
}

function nearLimit({ id, startTimeoutMs }: McpServerConfig, { tookMs }: Reached): Check[] {
  if (tookMs < startTimeoutMs * CLOSE_SHARE) return [];
  const text = `${id} took ${duration(tookMs)} of the ${duration(startTimeoutMs)} it has to start`;
  return [warning(`timeout:${id}`, text, `Raise "startTimeout" of ${id} in mcp.json`)];
}

/** What is wrong with the answer to a ping. A server that refuses one has answered, too. */
async function pingProblem(manager: McpManager, id: string): Promise<string | undefined> {
  try {
    await manager.request(id, 'ping', {}, { timeoutMs: PING_MS });
    return undefined;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return error.code === 'CALL_REFUSED' ? undefined : error.message;
  }
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
