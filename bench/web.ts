import { Agent, request, type RequestOptions } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ADHOC_STREAM } from '../src/events/adhoc-stream.ts';
import { openProject, type Project } from '../src/workflow/project/project.ts';
import { decider } from '../src/workflow/project/require-human.ts';
import { answerRequest } from '../src/workflow/requests/answer.ts';
import { openRequests } from '../src/workflow/requests/find-request.ts';
import { quantile } from './support/measure.ts';
import { atRest, shareOf } from './support/processor-time.ts';
import { serve } from './support/serve.ts';
import { printTable } from './support/table.ts';

// The page of a project, as a program of its own: how long an answer that is given there takes to the call that waits for it, on a
// connection that is open and on one of its own, beside one that is given as a shell gives it, and what 500 events a second cost.
// Needs a build.
const COUNT = Number(process.env['COUNT'] ?? 200);
const WARM_UP = 20;
const BUSY_S = 10;
const PER_SECOND = 500;
/** So many events are recorded together. */
const AT_ONCE = 25;
const dist = join(import.meta.dirname, '../dist');

const root = await mkdtemp(join(tmpdir(), 'clifford-bench-'));
const env = { PATH: process.env['PATH'] ?? '', CLIFFORD_PROJECT_ROOT: root, HOME: root };
const client = new Client({ name: 'bench', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [join(dist, 'mcp-entry.js')], env }),
);
const { pid, at, openStream, stop } = await serve(root, env);
try {
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (agent: Agent | false, path: string, body?: object) =>
    ask({ ...at, path, agent, method: body ? 'POST' : 'GET' }, body);

  const project = await openProject({ root, source: '/clifford/cli', env: {} });
  const stay = project.subscribe(() => undefined);
  const shell: number[] = [];
  const pages = [keepAlive, false as const].map((agent) => ({
    agent,
    answers: new Array<number>(),
    trips: new Array<number>(),
  }));
  const ways = [undefined, ...pages];
  for (let n = 0; n < ways.length * (COUNT + WARM_UP); n += 1) {
    const call = client
      .callTool({
        name: 'request_help',
        arguments: { task: 'bench', reason: 'to measure', question: `Question ${n}?` },
      })
      .then(() => performance.now());
    const { id } = await project.until((state) => openRequests(state)[0]);
    await sleep(15);
    const onPage = ways[n % ways.length];
    const response = `answer ${n}`;
    const begun = performance.now();
    await (onPage
      ? send(onPage.agent, `/api/questions/${id}/answer`, { response })
      : answerAsShell(project, id, response));
    const returned = await call;
    const tripBegun = performance.now();
    if (onPage) await send(onPage.agent, '/api/diagrams/request');
    if (n < ways.length * WARM_UP) continue;
    (onPage?.answers ?? shell).push(returned - begun);
    onPage?.trips.push(performance.now() - tripBegun);
  }

  // What the answers left to be done is not counted.
  await atRest(pid);
  const watching = await openStream(ADHOC_STREAM);
  const busyShare = await shareOf(pid, () => flood(project));
  watching.destroy();
  stay();
  await project.close();

  const p50 = (times: readonly number[]) => quantile(times, 0.5);
  const isReached = printTable(`The page: ${COUNT} answers`, [
    ...pages.map(({ agent, answers, trips }) => ({
      what: `answer on the page, ${agent ? 'on a connection that is open' : 'each on a connection of its own'} → call returned, p50, less the same from a shell and an HTTP round trip; ms`,
      figure: `${p50(answers).toFixed(2)} : ${p50(shell).toFixed(2)} ms, trip ${p50(trips).toFixed(2)} ms`,
      ratio: p50(answers) - p50(shell) - p50(trips),
      reach: { 'at-most': agent ? 2 : 10 } as const,
    })),
    {
      what: `CPU at ${PER_SECOND} events/s, a page open, in % of a core`,
      figure: `${(busyShare * 100).toFixed(2)} %`,
      ratio: busyShare * 100,
      reach: { 'at-most': 50 },
    },
  ]);
  process.exitCode = isReached ? 0 : 1;
} finally {
  stop();
  await client.close();
  await rm(root, { recursive: true, force: true });
}

/** As `clifford answer` does it: who answers is looked up first. */
async function answerAsShell(project: Project, id: string, response: string): Promise<unknown> {
  const by = decider({ env: process.env, by: 'ann' }, project);
  return answerRequest(project, id, { response, by, via: 'cli' });
}

/** Records events that change nothing in a state, as results of calls do, at a rate. */
async function flood(project: Project): Promise<void> {
  const begun = performance.now();
  const result = {
    type: 'tool.returned',
    subject: ADHOC_STREAM,
    data: { callId: 'bench', isError: false, durationMs: 1, bytes: 1 },
  } as const;
  for (let sent = 0; sent < PER_SECOND * BUSY_S; sent += AT_ONCE) {
    const early = begun + (sent / PER_SECOND) * 1_000 - performance.now();
    if (early > 0) await sleep(early);
    await project.record(
      ADHOC_STREAM,
      Array.from({ length: AT_ONCE }, () => result),
    );
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
