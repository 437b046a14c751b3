import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { quantile } from './support/measure.ts';
import { processorSeconds } from './support/processor-time.ts';
import { residentBytes } from './support/resident-memory.ts';
import { printTable } from './support/table.ts';

// The page of a project, as a program of its own: what 200 open streams cost, and how long an answer that is given there
// takes to the call that waits for it. Needs a build.
const STREAMS = Number(process.env['STREAMS'] ?? 200);
const COUNT = Number(process.env['COUNT'] ?? 200);
const WARM_UP = 20;
const IDLE_S = 10;
const dist = join(import.meta.dirname, '../dist');

const root = await mkdtemp(join(tmpdir(), 'clifford-bench-'));
const env = { PATH: process.env['PATH'] ?? '', CLIFFORD_PROJECT_ROOT: root, HOME: root };
const client = new Client({ name: 'bench', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [join(dist, 'mcp-entry.js')], env }),
);
const program = spawn(process.execPath, [join(dist, 'cli.js'), 'serve', '--port', '0', '--json'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const { value: line } = await createInterface(program.stdout)[Symbol.asyncIterator]().next();
  const { url, token } = z.object({ url: z.string(), token: z.string() }).parse(JSON.parse(String(line)));
  const { port } = new URL(url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, body?: object) =>
    ask({ host: '127.0.0.1', port, path, headers, agent: keepAlive, method: body ? 'POST' : 'GET' }, body);
  const pid = program.pid ?? 0;

  const over: number[] = [];
  const trips: number[] = [];
  for (let n = 0; n < COUNT + WARM_UP; n += 1) {
    const call = client
      .callTool({
        name: 'request_help',
        arguments: { task: 'bench', reason: 'to measure', question: `Question ${n}?` },
      })
      .then(() => performance.now());
    const id = await openQuestion(send);
    await sleep(15);
    const begun = performance.now();
    await Promise.all([send(`/api/questions/${id}/answer`, { response: `answer ${n}` }), call]);
    const returned = await call;
    const tripBegun = performance.now();
    await send('/api/diagrams/request');
    if (n < WARM_UP) continue;
    over.push(returned - begun);
    trips.push(performance.now() - tripBegun);
  }

  const before = residentBytes(pid);
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, () =>
      openStream({ host: '127.0.0.1', port, path: '/api/events', headers }),
    ),
  );
  await sleep(1_000);
  const opened = residentBytes(pid);
  const cpuBefore = processorSeconds(pid);
  await sleep(IDLE_S * 1_000);
  const idleShare = (processorSeconds(pid) - cpuBefore) / IDLE_S;
  for (const stream of streams) stream.destroy();
  await sleep(1_000);
  const closed = residentBytes(pid);

  const megabytes = (bytes: number) => bytes / 1_048_576;
  const extra = quantile(over, 0.5) - quantile(trips, 0.5);
  const isReached = printTable(`The page: ${COUNT} answers, ${STREAMS} streams`, [
    {
      what: 'answer on the page → call returned, p50, its fsync included, less an HTTP round trip; ms',
      figure: `${quantile(over, 0.5).toFixed(2)} ms in all, trip ${quantile(trips, 0.5).toFixed(2)} ms`,
      ratio: extra,
      reach: { 'at-most': 15 },
    },
    {
      what: `memory of ${STREAMS} idle streams, in MB`,
      figure: `${megabytes(before).toFixed(0)} → ${megabytes(opened).toFixed(0)} MB`,
      ratio: megabytes(opened - before),
      reach: { 'at-most': 40 },
    },
    {
      what: `CPU of ${STREAMS} idle streams, in % of a core`,
      figure: `${(idleShare * 100).toFixed(2)} %`,
      ratio: idleShare * 100,
      reach: { 'at-most': 2 },
    },
    {
      what: 'memory when they are closed, above what it was, in MB',
      figure: `${megabytes(closed).toFixed(0)} MB`,
      ratio: megabytes(closed - before),
      reach: { 'at-most': 40 },
    },
  ]);
  process.exitCode = isReached ? 0 : 1;
} finally {
  program.kill('SIGTERM');
  await client.close();
  await rm(root, { recursive: true, force: true });
}

/** The id of the question that waits, once one does. */
async function openQuestion(send: (path: string) => Promise<string>): Promise<string> {
  for (;;) {
    const { questions } = z
      .object({ questions: z.array(z.object({ id: z.string() })) })
      .parse(JSON.parse(await send('/api/state')));
    const [first] = questions;
    if (first) return first.id;
    await sleep(2);
  }
}

function ask(options: RequestOptions, body?: object): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sending = request(options, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (text += part));
    response.on('end', () => resolve(text));
  });
  sending.on('error', reject);
  sending.end(body && JSON.stringify(body));
  return promise;
}

async function openStream(options: RequestOptions): Promise<IncomingMessage> {
  const [response] = (await once(request(options).end(), 'response')) as [IncomingMessage];
  response.resume();
  response.on('error', () => undefined);
  return response;
}
