import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { clientInfo, requestLines } from '../../runner/agents/model-free-start.ts';
import { mcpServerCommand } from '../../runner/plan/mcp-server-command.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { duration } from '../../lib/time/duration.ts';
import { broken, good, type Check, type DoctorContext } from './check.ts';
import { startForHandshake } from './program-handshake.ts';

/** How long the server may take, in ms. */
const LIMIT_MS = 20_000;

const input = requestLines(
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
);

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
  const program = await startForHandshake({
    file: server.command,
    args: server.args,
    cwd: root,
    env: { ...env, ...server.env },
    input,
    onLine: (line) => {
      const said = listSchema.safeParse(jsonValue(line));
      if (said.success) listed.resolve(said.data.result.tools.map((tool) => tool.name));
    },
  });
  const over = new AbortController();
  const late = pause(LIMIT_MS, undefined, { signal: AbortSignal.any([over.signal, signal]) }).then(
    () => `it did not respond within ${duration(LIMIT_MS)}`,
    () => 'nobody waits any more',
  );
  try {
    const tools = await Promise.race([listed.promise, program.ended, late]);
    if (typeof tools === 'string') {
      const fix = `Start it by hand and see: ${[server.command, ...server.args].join(' ')}`;
      return broken(name, `Clifford's MCP server does not answer: ${tools}`, fix);
    }
    const tookMs = Math.round(performance.now() - startedAt);
    const text = `Clifford's MCP server offers ${tools.length} tools after ${duration(tookMs)}`;
    return good(name, text, { tools, tookMs });
  } finally {
    over.abort();
    await program.end();
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
