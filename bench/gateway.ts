import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { openJsonlLog } from '../src/events/jsonl/jsonl-log.ts';
import { median, quantile, runInterleaved, timeMs } from './support/measure.ts';
import { sampleEvent } from './support/sample-events.ts';
import { printTable } from './support/table.ts';

// A tool call through the gateway, allowed by the policy and recorded, against the same call made directly and one
// durable append: what a call that is recorded before it runs cannot do without. Needs a build.
const CALLS = Number(process.env['CALLS'] ?? 600);
const WARM_UP = 50;
const entry = process.env['MCP_ENTRY'] ?? join(import.meta.dirname, '../dist/mcp-entry.js');
const echo = { command: process.execPath, args: [join(import.meta.dirname, 'support/echo-mcp-server.mjs')] };

const root = await mkdtemp(join(tmpdir(), 'clifford-bench-'));
const clients: Client[] = [];
try {
  const policy = { allowlist: [{ server: 'bench', tool: 'echo' }] };
  await writeFile(join(root, 'mcp.json'), JSON.stringify({ servers: { bench: echo }, policy }));
  const direct = await connect(echo);
  const gateway = await connect({ command: process.execPath, args: [entry] });
  const log = await openJsonlLog(join(root, 'peer', 'events.jsonl'));
  // As many events as a call records before it runs.
  const append = (n: number) =>
    log.append(
      'bench',
      [0, 1].map(() => sampleEvent('bench', n)),
      { expectedVersion: 'any' },
    );

  let n = 0;
  const figures = await runInterleaved(CALLS + WARM_UP, [
    { name: 'gateway', run: () => timeMs(() => call(gateway, 'mcp__bench__echo')) },
    { name: 'direct', run: () => timeMs(() => call(direct, 'echo')) },
    { name: 'append', run: () => timeMs(() => append((n += 1))) },
  ]);
  await log.close();

  const warm = (name: 'gateway' | 'direct' | 'append') => (figures.get(name) ?? []).slice(WARM_UP);
  const ms = (name: 'gateway' | 'direct' | 'append') => median(warm(name));
  const more = ms('gateway') - ms('direct') - ms('append');
  const reached = printTable(`A tool call through the gateway (medians of ${CALLS}, in ms)`, [
    {
      what: 'through the gateway − direct − one durable append',
      figure: `${ms('gateway').toFixed(2)} − ${ms('direct').toFixed(2)} − ${ms('append').toFixed(2)} ms`,
      ratio: more,
      reach: { 'at-most': 2 },
    },
  ]);
  const late = (name: 'gateway' | 'direct') => quantile(warm(name), 0.99).toFixed(2);
  console.log(`\np99: ${late('gateway')} ms through the gateway, ${late('direct')} ms directly`);
  process.exitCode = reached ? 0 : 1;
} finally {
  await Promise.all(clients.map((client) => client.close()));
  await rm(root, { recursive: true, force: true });
}

/** Connects to a server that is started in the project, which is trusted. */
async function connect(program: { command: string; args: string[] }): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  clients.push(client);
  const env = { HOME: root, CLIFFORD_PROJECT_ROOT: root, CLIFFORD_TRUST_PROJECT: '1' };
  await client.connect(new StdioClientTransport({ ...program, cwd: root, env }));
  return client;
}

/** @throws {Error} when the call did not run. */
async function call(client: Client, name: string): Promise<void> {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: { words: 'hello' } }));
  const [first] = result.content;
  if (first?.type !== 'text' || first.text !== 'hello')
    throw new Error(`Unexpected: ${JSON.stringify(result)}`);
}
