import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
})}\n`;
const initialized = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;

/**
 * Starts an MCP server and returns the time from the start of its process to the answer to
 * `initialize`, in ms. Then lets it end as clients do: by closing its stdin.
 *
 * @throws {Error} when it answers with something else.
 */
export async function initializeTime(
  argv: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  child.stdin.write(initialize);
  const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  const ms = performance.now() - start;
  if (!String(line).includes('"serverInfo"')) throw new Error(`Unexpected answer: ${String(line)}`);
  child.stdin.end(initialized);
  // The plain server does not see that its client has left.
  const force = setTimeout(() => child.kill(), 1_000);
  await exit;
  clearTimeout(force);
  return ms;
}
