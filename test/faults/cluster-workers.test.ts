import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamOf, type StoredEvent } from '../../src/events/envelope.ts';
import { mayBeTriedAgain } from '../../src/events/log/may-be-tried-again.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { openProject, type Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { findNatsServer, HOW_TO_GET_NATS } from '../helpers/nats-binary.ts';
import { NatsCluster } from '../helpers/nats-cluster.ts';
import { seededRandom } from '../helpers/random.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

/** How often a server is killed that leads the log, or the queue. */
const KILLS = faultRuns(20);
const SPRINTS = KILLS * 2;
const WORKERS = 4;
const program = (path: string) => fixtureProgram(path);
const isMissing = findNatsServer('cluster') === undefined;

/**
 * A human who answers whatever waits, also while the log is away for a while, but no sprint before its turn: of two for each time that
 * a server was killed, so that there is work as long as they are. Ends when every sprint is completed.
 */
async function answerAll(project: Project, random: () => number, killed: () => number): Promise<void> {
  const isDone = () => {
    const all = project.state.streams.loaded().filter(({ id }) => id.startsWith('s'));
    return all.filter(({ machine }) => nameOf(machine.value) === 'done.completed').length === SPRINTS;
  };
  while (!isDone()) {
    try {
      await project.refresh();
      for (const { id, asked, stream } of openRequests(project.state)) {
        if (Number(stream.slice(1)) > (killed() + 1) * (SPRINTS / KILLS)) continue;
        await pause(random() * 50);
        await answerRequest(project, id, {
          response: asked.approval ? 'yes' : 'blue',
          by: 'ann',
          via: 'test',
        });
      }
    } catch (error) {
      if (!mayBeTriedAgain(error)) throw error;
    }
    await pause(100);
  }
}

/** The runs of which a call was allowed by a human, once for each call. */
function allowedRuns(events: readonly StoredEvent[]): (string | undefined)[] {
  const yes = new Set<string>();
  const runs = new Map<string, string | undefined>();
  const allowed: (string | undefined)[] = [];
  for (const event of events) {
    if (event.type === 'help.answered' && event.data.verdict === 'approved') yes.add(event.data.requestId);
    if (event.type === 'tool.requested' && event.data.server === 'marks')
      runs.set(event.data.callId, event.data.runId);
    if (event.type === 'tool.allowed' && runs.has(event.data.callId) && yes.has(event.data.requestId ?? ''))
      allowed.push(runs.get(event.data.callId));
  }
  return allowed;
}

describe.skipIf(isMissing)(`three servers${isMissing ? ` (skipped: ${HOW_TO_GET_NATS})` : ''}`, () => {
  const cluster = new NatsCluster();
  beforeAll(() => cluster.start(), 120_000);
  afterAll(() => cluster.remove());

  it(`${WORKERS} workers run ${SPRINTS} sprints with questions and calls while the leader is killed ${KILLS} times`, async () => {
    const random = seededRandom(faultSeed());
    const base = await tempRoot();
    const desk = join(base, 'desk');
    await mkdir(join(desk, '.clifford'), { recursive: true });
    const name = randomUUID();
    const url = `nats://${cluster.addresses.join(',')}/${name}`;
    const marks = join(base, 'marks');
    await writeFile(marks, '');
    const ids = Array.from({ length: SPRINTS }, (_, n) => `s${n}`);
    for (const id of ids) await writeSprint(desk, { id, tasks: ['a'] });
    await writeFile(
      join(desk, 'clifford.json'),
      JSON.stringify({ log: { url, replicas: 3 }, maxAttempts: 20, queue: { deadline: 20_000 } }),
    );
    await writeFile(
      join(desk, 'mcp.json'),
      JSON.stringify({
        servers: { marks: { command: process.execPath, args: [program('mcp-servers/mark.ts'), marks] } },
        policy: { default: 'confirm' },
      }),
    );
    const own = join(base, 'own.json');
    await writeFile(
      own,
      JSON.stringify({ repository: { fetch: `cp -R ${desk}/. .` }, queue: { losses: 50 } }),
    );

    for (const id of ids)
      expect(await clifford(['queue', 'add', id], { cwd: desk })).toMatchObject({ code: 0, err: '' });
    const workers = [];
    for (let n = 0; n < WORKERS; n += 1) {
      const folder = join(base, `worker-${n}`);
      await mkdir(folder);
      workers.push(
        startClifford(['worker', '--folder', folder, '--name', `worker-${n}`, '--log', url], {
          cwd: folder,
          env: {
            CLIFFORD_CONFIG: own,
            CLIFFORD_TRUST_PROJECT: '1',
            CLIFFORD_AGENT_CMD: `'${process.execPath}' '${program('agents/ask-and-mark.ts')}'`,
            ASKER_SERVER: join(import.meta.dirname, '../../dist/mcp-entry.js'),
          },
        }),
      );
    }
    const project = await openProject({ root: desk, source: '/clifford/cli', env: {} });
    try {
      let killed = 0;
      const answering = answerAll(project, random, () => killed);
      answering.catch(() => undefined);
      for (; killed < KILLS; killed += 1) {
        const last = project.state.streams.get(`s${SPRINTS - 1}`);
        expect(last && nameOf(last.machine.value)).not.toBe('done.completed');
        // A server that was killed has to catch up on a machine that is busy.
        await cluster.killLeaderOf(`clifford-${killed % 4 === 1 ? 'jobs' : 'events'}-${name}`, {
          timeout: 240_000,
        });
        await pause(random() * 3_000);
      }
      await answering;
    } finally {
      await project.close();
    }
    await expect
      .poll(async () => (await clifford(['queue', 'list'], { cwd: desk })).out, { timeout: 120_000 })
      .toBe('No sprint is in the queue\n');
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) expect(await worker.ended).toMatchObject({ code: 0 });

    const verified = await clifford(['replay', '--verify', '--debug'], { cwd: desk });
    expect(verified).toMatchObject({ code: 0, err: '' });
    const reader = await openProject({ root: desk, source: '/clifford/cli', env: {} });
    const events: StoredEvent[] = [];
    for await (const batch of reader.log.read()) events.push(...batch.events);
    await reader.close();
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const completed = events.filter(({ type }) => type === 'sprint.completed').map(({ subject }) => subject);
    expect(completed.toSorted()).toEqual(ids.toSorted());
    const answered = events.flatMap((event) =>
      event.type === 'help.answered' ? [`${streamOf(event.subject)} ${event.data.requestId}`] : [],
    );
    expect(new Set(answered).size).toBe(answered.length);
    const questions = events.filter(({ type, data }) => type === 'help.requested' && !('approval' in data));
    expect(questions.map(({ subject }) => streamOf(subject)).toSorted()).toEqual(ids.toSorted());
    const made = (await readFile(marks, 'utf8')).split('\n').filter(Boolean);
    const allowed = allowedRuns(events);
    for (const run of made) {
      const at = allowed.indexOf(run);
      expect(at, `the call of ${run} ran without a yes of its own`).not.toBe(-1);
      allowed.splice(at, 1);
    }
    expect(made.length).toBeGreaterThanOrEqual(SPRINTS);
  });
});
