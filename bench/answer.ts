import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { answerTimesSchema } from './support/answer-times.ts';
import { quantile } from './support/measure.ts';
import { printTable } from './support/table.ts';

// An answer is on disk → the tool call that waited for it has returned. Three processes, as in life:
// the agent's client (this one), its server, and the human's. Needs a build.
const COUNT = Number(process.env['COUNT'] ?? 300);
const WARM_UP = 20;
const entry = process.env['MCP_ENTRY'] ?? join(import.meta.dirname, '../dist/mcp-entry.js');

const root = await mkdtemp(join(tmpdir(), 'clifford-bench-'));
const client = new Client({ name: 'bench', version: '1.0.0' });
try {
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [entry],
      env: { PATH: process.env['PATH'] ?? '', CLIFFORD_PROJECT_ROOT: root },
    }),
  );
  const human = fork(new URL('./support/answerer.ts', import.meta.url), [root, String(COUNT + WARM_UP)]);
  const humanLeft = once(human, 'exit').then(([code]: unknown[]): never => {
    throw new Error(`The human's process ended with code ${String(code)}`);
  });
  // At the end it leaves, as it should; before that, whoever waits is told.
  humanLeft.catch(() => undefined);
  const next = (): Promise<unknown> =>
    Promise.race([once(human, 'message').then(([message]: unknown[]) => message), humanLeft]);
  await next();

  const over: number[] = [];
  const sync: number[] = [];
  const plain: number[] = [];
  for (let n = 0; n < COUNT + WARM_UP; n += 1) {
    const report = next();
    const call = client.callTool({
      name: 'request_help',
      arguments: { task: 'bench', reason: 'to measure', question: `Question ${n}?` },
    });
    await Promise.race([call, humanLeft]);
    const returnedNs = process.hrtime.bigint();
    const { startedNs, durableNs } = answerTimesSchema.parse(await report);
    const roundTrip = await timeOfPlainCall();
    if (n < WARM_UP) continue;
    over.push(Number(returnedNs - BigInt(durableNs)) / 1e6);
    sync.push(Number(BigInt(durableNs) - BigInt(startedNs)) / 1e6);
    plain.push(roundTrip);
  }

  const row = (name: string, q: number, atMost: number) => ({
    what: `answer on disk → call returned, ${name}, in ms`,
    figure: `${quantile(over, q).toFixed(2)} ms`,
    ratio: quantile(over, q),
    reach: { 'at-most': atMost },
  });
  const reached = printTable(`Answer to a waiting tool call (${COUNT} answers; 0 is the end of the fsync)`, [
    row('p50', 0.5, 1),
    row('p99', 0.99, 5),
  ]);
  const both = (values: readonly number[]) =>
    `p50 ${quantile(values, 0.5).toFixed(2)} ms, p99 ${quantile(values, 0.99).toFixed(2)} ms`;
  console.log(`\nThe append of the answer with its fsync: ${both(sync)}`);
  console.log(`A tool call that only returns a text:   ${both(plain)}`);
  process.exitCode = reached ? 0 : 1;
} finally {
  await client.close();
  await rm(root, { recursive: true, force: true });
}

/** A call of a tool that does not exist: there and back, recording nothing. */
async function timeOfPlainCall(): Promise<number> {
  const start = performance.now();
  await client.callTool({ name: 'nothing', arguments: {} });
  return performance.now() - start;
}
