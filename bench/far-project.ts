import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { newEvent } from '../src/events/envelope.ts';
import { openJetStreamLog } from '../src/events/jetstream/jetstream-log.ts';
import { openJsonlLog } from '../src/events/jsonl/jsonl-log.ts';
import type { EventLog } from '../src/events/log/event-log.ts';
import { openProject, type Project } from '../src/workflow/project/project.ts';
import { NatsProcess } from '../test/helpers/nats-process.ts';
import { median, ratio, runInterleaved, timeMs } from './support/measure.ts';
import { sprintEvents } from './support/write-log.ts';
import { sentSchema, type ToAnswer } from './support/far-answers.ts';
import { printTable, type Row } from './support/table.ts';

/**
 * A project whose log is on a server, on loopback and without syncs: opening it, and an answer from another process, against the file, which
 * syncs each append, and against bare messages: `npx node bench/far-project.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 7);
const EVENTS = 20_000;
const ANSWERS = 60;
/** Pause before an answer, in ms: a human answers long after the asking is over. */
const THINK_MS = 15;

const server = new NatsProcess();
const folder = await mkdtemp(join(tmpdir(), 'clifford-bench-far-'));
await server.start();
const connection = await connect({ servers: server.address });
const manager = await jetstreamManager(connection);
const bare = jetstream(connection);
try {
  const rows = [...(await opening()), ...(await answering())];
  process.exitCode = printTable('A project whose log is on a server', rows) ? 0 : 1;
} finally {
  await connection.close();
  await server.remove();
  await rm(folder, { recursive: true });
}

type Kind = 'server' | 'file';
/** A project's folder, and the environment that says where its log is. */
type Place = { readonly root: string; readonly env: Readonly<Record<string, string>> };

async function placeOf(kind: Kind, name: string): Promise<Place> {
  const root = join(folder, `${name}-${kind}`);
  await mkdir(join(root, '.clifford'), { recursive: true });
  return { root, env: kind === 'file' ? {} : { CLIFFORD_LOG: `nats://${server.address}/${name}` } };
}

function open({ root, env }: Place): Promise<Project> {
  return openProject({ root, env, source: '/clifford/cli' });
}

async function bareStream(name: string): Promise<void> {
  await manager.streams.add({ name, subjects: [name] });
}

async function opening(): Promise<Row[]> {
  const [served, filed] = [await placeOf('server', 'opened'), await placeOf('file', 'opened')];
  await fill(await openJetStreamLog({ servers: [server.address], project: 'opened', name: 'opened' }));
  await fill(await openJsonlLog(join(filed.root, '.clifford/events.jsonl')));
  await bareStream('bare');
  const line = JSON.stringify(
    newEvent('/clifford/runner', {
      type: 'task.noted',
      subject: 's/t',
      data: { text: 'x'.repeat(120), runId: 'r', by: 'a' },
    }),
  );
  for (let n = 0; n < EVENTS; n += 1) await bare.publish('bare', line);
  const opened = (place: Place, isFresh: boolean) => async () => {
    if (isFresh) await rm(join(place.root, '.clifford/cache'), { recursive: true, force: true });
    return timeMs(async () => (await open(place)).close());
  };
  const consumed = () =>
    timeMs(async () => {
      const own = await connect({ servers: server.address });
      const { name } = await (
        await jetstreamManager(own)
      ).consumers.add('bare', { ack_policy: AckPolicy.None });
      const messages = await (
        await jetstream(own).consumers.get('bare', name)
      ).consume({ max_messages: 256 });
      let count = 0;
      for await (const message of messages) {
        message.json();
        count += 1;
        if (count === EVENTS) break;
      }
      await own.close();
    });
  const connected = () => timeMs(async () => (await connect({ servers: server.address })).close());
  // Each fresh opening leaves a snapshot for the one after it.
  const figures = await runInterleaved(rounds, [
    { name: 'bare', run: consumed },
    { name: 'connect', run: connected },
    { name: 'server, fresh', run: opened(served, true) },
    { name: 'server', run: opened(served, false) },
    { name: 'file, fresh', run: opened(filed, true) },
    { name: 'file', run: opened(filed, false) },
  ] as const);
  const row = rowsOf(figures);
  return [
    row(
      `opening ${EVENTS} events, no snapshot, against bare messages + JSON.parse`,
      ['server, fresh', 'bare'],
      3.5,
    ),
    row('against the file', ['server, fresh', 'file, fresh'], 6),
    row('opening them with a snapshot, against a bare connection', ['server', 'connect'], 10),
    row('against the file', ['server', 'file'], 10),
  ];
}

async function fill(log: EventLog): Promise<void> {
  let count = 0;
  for (let n = 0; count < EVENTS; n += 1)
    for (const candidate of sprintEvents(`sprint-${n}`)) {
      if (count === EVENTS) break;
      await log.append(`sprint-${n}`, [newEvent('/clifford/runner', candidate)], { expectedVersion: 'any' });
      count += 1;
    }
  await log.close();
}

/** From before the append of an answer in another process until the wait for it is over in this one. */
async function answering(): Promise<Row[]> {
  const waits = async (kind: Kind) => {
    const place = await placeOf(kind, 'asked');
    const project = await open(place);
    const human = await answerer({ ...place, kind });
    const ms = await answered((n) => ask(project, n), human);
    await project.close();
    return ms;
  };
  await bareStream('answers');
  const bareWaits = async () => {
    const human = await answerer({ kind: 'bare', servers: server.address });
    const { name } = await manager.consumers.add('answers', {
      ack_policy: AckPolicy.None,
      deliver_policy: 'new',
    });
    const messages = await (await bare.consumers.get('answers', name)).consume();
    const arriving = messages[Symbol.asyncIterator]();
    const ms = await answered(async (n) => ({ id: `q-${n}`, over: arriving.next() }), human);
    messages.stop();
    return ms;
  };
  const figures = await runInterleaved(rounds, [
    { name: 'server', run: () => waits('server') },
    { name: 'file', run: () => waits('file') },
    { name: 'bare', run: bareWaits },
  ] as const);
  const row = rowsOf(figures);
  return [
    row(
      'answer in one process until the wait in another is over, against a bare message',
      ['server', 'bare'],
      6,
    ),
    row('against the file', ['server', 'file'], 6),
  ];
}

type Asking = { readonly id: string; readonly over: Promise<unknown> };

/** The median of what it takes, in ms; the answerer leaves then. */
async function answered(asking: (n: number) => Promise<Asking>, human: ChildProcess): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < ANSWERS; n += 1) {
    const { id, over } = await asking(n);
    await pause(THINK_MS);
    const sent = once(human, 'message');
    human.send(id);
    await over;
    const overNs = process.hrtime.bigint();
    const { sentNs } = sentSchema.parse((await sent)[0]);
    times.push(Number(overNs - BigInt(sentNs)) / 1e6);
  }
  human.disconnect();
  await once(human, 'exit');
  return median(times);
}

async function ask(project: Project, n: number): Promise<Asking> {
  const id = `${process.hrtime.bigint()}-${n}`;
  const asked = {
    requestId: id,
    kind: 'help',
    question: 'Which colour?',
    origin: { agent: 'bench' },
  } as const;
  await project.record('adhoc', [{ type: 'help.requested', subject: 'adhoc', data: asked }]);
  const over = project.until(({ streams }) => streams.get('adhoc')?.requests.get(id)?.answer);
  return { id, over };
}

/** Another process, once it is ready to answer. */
async function answerer(work: ToAnswer): Promise<ChildProcess> {
  const human = fork(new URL('support/far-answerer.ts', import.meta.url), [JSON.stringify(work)]);
  await once(human, 'message');
  return human;
}

function rowsOf<Name extends string>(figures: Map<Name, number[]>) {
  const ms = (name: Name) => `${median(figures.get(name) ?? []).toFixed(2)} ms`;
  return (what: string, [one, other]: readonly [Name, Name], atMost: number): Row => ({
    what,
    figure: `${ms(one)} : ${ms(other)}`,
    ratio: ratio(figures, one, other),
    reach: { 'at-most': atMost },
  });
}
