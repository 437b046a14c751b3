import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { mcpServerCommand } from '../../runner/plan/mcp-server-command.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { duration } from '../../lib/time/duration.ts';
import type { Check, DoctorContext } from './check.ts';
import { startForHandshake } from './program-handshake.ts';

/** How long the server may take, in ms. */
const LIMIT_MS = 20_000;

const requests = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'clifford-doctor', version: '0' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];

const listSchema = z.looseObject({
  id: z.literal(2),
  result: z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) }),
});

/** Whether Clifford's own MCP server starts and offers its tools: the very program that agents start. */
export async function checkServer({ env, signal }: Pick<DoctorContext, 'env' | 'signal'>): Promise<Check> {
  const name = 'mcp-server';
  // What it records is thrown away: nobody has worked on anything.
  const root = await mkdtemp(join(tmpdir(), 'clifford-doctor-'));
  const startedAt = performance.now();
  const listed = Promise.withResolvers<readonly string[]>();
  const server = mcpServerCommand({ CLIFFORD_PROJECT_ROOT: root });
  const program = startForHandshake({
    file: server.command,
    args: server.args,
    cwd: root,
    env: { ...env, ...server.env },
    input: requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join(''),
    onLine: (line) => {
      const said = listSchema.safeParse(jsonValue(line));
      if (said.success) listed.resolve(said.data.result.tools.map((tool) => tool.name));
    },
  });
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`it did not respond within ${duration(LIMIT_MS)}`), LIMIT_MS);
  const stop = () => late.resolve('nobody waits any more');
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const tools = await Promise.race([listed.promise, program.ended, late.promise]);
    if (typeof tools === 'string') {
      const fix = `Start it by hand and see: ${[server.command, ...server.args].join(' ')}`;
      return { name, status: 'broken', text: `Clifford's MCP server does not answer: ${tools}`, fix };
    }
    const tookMs = Math.round(performance.now() - startedAt);
    const text = `Clifford's MCP server offers ${tools.length} tools after ${duration(tookMs)}`;
    return { name, status: 'good', text, facts: { tools, tookMs } };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await program.end();
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
