import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../src/errors.ts';
import type { Source, StoredEvent } from '../../src/events/envelope.ts';
import type { EventLog } from '../../src/events/log/event-log.ts';
import { openJetStreamLog } from '../../src/events/jetstream/jetstream-log.ts';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import type { Redactor } from '../../src/events/secrets/redaction.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import type { OpenLog } from '../../src/workflow/project/project-log.ts';
import { everyFault, faultyLog } from '../events/log/faulty-log.ts';
import type { Faults, FaultTally } from '../events/log/faulty-log.ts';
import { MemoryStore, openMemoryLog } from '../events/log/memory-log.ts';
import { collect } from '../events/sample-events.ts';
import type { NatsProcess } from '../helpers/nats-process.ts';
import { writeSprint } from '../helpers/temp-project.ts';

/** What a log is kept in: a file, memory, or a server, which is running there. */
export type Engine = 'file' | 'memory' | Pick<NatsProcess, 'address'>;

/** A project with a sprint whose log fails now and then. */
export type World = {
  readonly root: string;
  /** What is in the log, whatever its handles say; reading checks every schema and the chain. */
  readonly events: () => Promise<StoredEvent[]>;
  /** Opens the project, as another process would. */
  readonly open: (source: Source) => Promise<Project>;
  readonly close: () => Promise<void>;
};

/** Makes one, with a sprint `s` of some tasks. */
export async function makeWorld({
  engine,
  tasks,
  random,
  tally,
}: {
  engine: Engine;
  tasks: readonly string[];
  random: () => number;
  tally: FaultTally;
}): Promise<World> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-engine-')));
  await mkdir(join(root, '.clifford'));
  await writeSprint(root, { id: 's', tasks });
  const { open, faults } = underTest(engine, root);
  const openLog: OpenLog = async ({ redact }) => faultyLog(await open(redact), { faults, random, tally });
  const opened: Project[] = [];
  return {
    root,
    async events() {
      const log = await open();
      const events = await collect(log.read());
      await log.close();
      return events;
    },
    async open(source) {
      const project = await persist(() => openProject({ root, source, env: {}, openLog }));
      opened.push(project);
      return project;
    },
    async close() {
      for (const project of opened) await project.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** How an engine is opened, and what can go wrong with it. */
type EngineUnderTest = {
  readonly open: (redact?: Redactor) => Promise<EventLog>;
  readonly faults: Faults;
};

function underTest(engine: Engine, root: string): EngineUnderTest {
  if (engine === 'file') return inFile(root);
  return engine === 'memory' ? inMemory() : onServer(engine);
}

function onServer({ address }: Pick<NatsProcess, 'address'>): EngineUnderTest {
  const project = randomUUID();
  const place = { servers: [address], project, name: `nats://${address}/${project}` };
  return { open: (redact) => openJetStreamLog({ ...place, redact }), faults: everyFault };
}

function inMemory(): EngineUnderTest {
  const store = new MemoryStore();
  return { open: (redact) => openMemoryLog(store, { redact }), faults: everyFault };
}

function inFile(root: string): EngineUnderTest {
  const path = join(root, '.clifford', 'events.jsonl');
  return {
    open: (redact) => openJsonlLog(path, redact && { redact }),
    // A write to a file that failed does not land later.
    faults: { ...everyFault, timedOut: 0 },
  };
}

/** Does what a client does that is told to try again. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isHopeful = error instanceof CliffordError && /^(retry|reopen)$/.test(error.recovery);
      if (!isHopeful || /CLOSED/.test(error.code)) throw error;
      await pause(1);
    }
  }
}
