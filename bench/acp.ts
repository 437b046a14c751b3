import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAcp, type AcpConnection } from './support/acp-connection.ts';
import { median, quantile, ratio, runInterleaved, timeMs } from './support/measure.ts';
import { printTable } from './support/table.ts';

// What `clifford acp` adds to an agent that an editor speaks with: until the first answer, and for each turn. Against
// the smallest agent, which is there and answers at once: a real one takes seconds for either; and, of a turn, against the
// smallest program between the two, which wakes up as often. Needs a build.
const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const TURNS = Number(process.env['TURNS'] ?? 2_000);
const WARM_UP = 200;
const agent = join(import.meta.dirname, 'support/acp-echo-agent.mjs');
const clifford = join(import.meta.dirname, '../dist/cli.js');
const bare = [join(import.meta.dirname, 'support/acp-bare-proxy.mjs'), process.execPath, agent];
const proxied = [clifford, 'acp', '--name', 'echo', '--', process.execPath, agent];

const home = await mkdtemp(join(tmpdir(), 'clifford-bench-'));
try {
  await mkdir(join(home, '.clifford'));
  const place = { cwd: home, env: { PATH: process.env['PATH'], HOME: home, CLIFFORD_PROJECT_ROOT: home } };
  const starts = await runInterleaved(ROUNDS, [
    { name: 'proxied', run: () => startTime(proxied) },
    { name: 'direct', run: () => startTime([agent]) },
  ]);

  const [through, passed, direct] = [proxied, bare, [agent]].map((argv) => connectAcp(argv, place));
  if (!through || !passed || !direct) throw new Error('not connected');
  const turns = await runInterleaved(TURNS + WARM_UP, [
    { name: 'proxied', run: () => timeMs(() => turn(through)) },
    { name: 'bare', run: () => timeMs(() => turn(passed)) },
    { name: 'direct', run: () => timeMs(() => turn(direct)) },
  ]);
  const warm = new Map([...turns].map(([name, figures]) => [name, figures.slice(WARM_UP)]));

  const big = 'x'.repeat(1024 * 1024);
  const bulk = await runInterleaved(ROUNDS, [
    { name: 'proxied', run: () => timeMs(() => through.request('session/prompt', { big })) },
    { name: 'direct', run: () => timeMs(() => direct.request('session/prompt', { big })) },
  ]);
  await Promise.all([through, passed, direct].map((connection) => connection.close()));

  const figure = (figures: ReadonlyMap<'proxied' | 'direct', number[]>, digits: number) =>
    `${median(figures.get('proxied') ?? []).toFixed(digits)} : ${median(figures.get('direct') ?? []).toFixed(digits)} ms`;
  const ms = (name: 'proxied' | 'bare' | 'direct') => median(warm.get(name) ?? []).toFixed(3);
  const reached = printTable('An agent behind clifford acp ÷ the same directly (medians)', [
    {
      what: 'process start → initialize answered',
      figure: figure(starts, 0),
      ratio: ratio(starts, 'proxied', 'direct'),
      reach: { 'at-most': 6 },
    },
    {
      what: 'a prompt with two updates and its answer, against the smallest program between',
      figure: `${ms('proxied')} : ${ms('bare')} ms; directly ${ms('direct')} ms`,
      ratio: ratio(warm, 'proxied', 'bare'),
      reach: { 'at-most': 1.5 },
    },
    {
      what: 'a prompt of 1 MiB and its answer',
      figure: figure(bulk, 1),
      ratio: ratio(bulk, 'proxied', 'direct'),
      reach: { 'at-most': 3 },
    },
  ]);
  const late = (name: 'proxied' | 'direct') => quantile(warm.get(name) ?? [], 0.99).toFixed(2);
  console.log(`\np99 of a turn: ${late('proxied')} ms through clifford acp, ${late('direct')} ms directly`);
  process.exitCode = reached ? 0 : 1;

  async function startTime(argv: readonly string[]): Promise<number> {
    let connection: AcpConnection | undefined;
    const ms = await timeMs(() => {
      connection = connectAcp(argv, place);
      return connection.request('initialize', { protocolVersion: 1 });
    });
    await connection?.close();
    return ms;
  }
} finally {
  await rm(home, { recursive: true, force: true });
}

function turn(connection: AcpConnection): Promise<void> {
  return connection.request('session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: 'Go on.' }] });
}
