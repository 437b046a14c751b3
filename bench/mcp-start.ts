import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initializeTime } from './support/initialize-time.ts';
import { median, ratio, runInterleaved } from './support/measure.ts';
import { printTable } from './support/table.ts';

// Process start → `initialize` answered, against the smallest server on the same SDK. Needs a build.
const ROUNDS = Number(process.env['ROUNDS'] ?? 25);
const plainServer = join(import.meta.dirname, 'support/plain-mcp-server.mjs');
const clifford = process.env['MCP_ENTRY'] ?? join(import.meta.dirname, '../dist/mcp-entry.js');

/** A program that answers the first line it gets, and ends with its input. */
const bareAnswer = `process.stdin.once('data', () => console.log('{"serverInfo":{}}')).resume()`;

const home = await mkdtemp(join(tmpdir(), 'clifford-bench-'));
try {
  const env = { PATH: process.env['PATH'], HOME: home, CLIFFORD_PROJECT_ROOT: home };
  const warm = { cwd: home, env: { ...env, TMPDIR: home } };
  const figures = await runInterleaved(ROUNDS, [
    { name: 'clifford', run: () => initializeTime([clifford], warm) },
    { name: 'plain', run: () => initializeTime([plainServer], { cwd: home, env }) },
    { name: 'node -e 0', run: () => initializeTime(['-e', bareAnswer], { cwd: home, env }) },
  ]);
  const ms = (name: 'clifford' | 'plain' | 'node -e 0') => `${median(figures.get(name) ?? []).toFixed(0)} ms`;
  const reached = printTable(`MCP server: process start → initialize answered (medians of ${ROUNDS})`, [
    {
      what: 'clifford, compile cache warm ÷ smallest plain server',
      figure: `${ms('clifford')} ÷ ${ms('plain')}`,
      ratio: ratio(figures, 'clifford', 'plain'),
      reach: { 'at-most': 0.65 },
    },
  ]);
  console.log(`\nFor comparison, a bare Node that answers without any SDK: ${ms('node -e 0')}`);
  process.exitCode = reached ? 0 : 1;
} finally {
  await rm(home, { recursive: true, force: true });
}
