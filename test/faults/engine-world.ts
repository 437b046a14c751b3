import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../src/errors.ts';
import type { Source } from '../../src/events/envelope.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import type { OpenLog } from '../../src/workflow/project/project-log.ts';
import { everyFault, faultyLog } from '../events/faulty-log.ts';
import type { FaultTally } from '../events/faulty-log.ts';
import { MemoryStore, openMemoryLog } from '../events/memory-log.ts';
import { writeSprint } from '../helpers/temp-project.ts';

/** A project with a sprint whose log is no file, and fails now and then. */
export type World = {
  readonly root: string;
  /** What is in the log, whatever its handles say. */
  readonly store: MemoryStore;
  /** Opens the project, as another process would. */
  readonly open: (source: Source) => Promise<Project>;
  readonly close: () => Promise<void>;
};

/** Makes one, with a sprint `s` of some tasks. */
export async function makeWorld({
  tasks,
  random,
  tally,
}: {
  tasks: readonly string[];
  random: () => number;
  tally: FaultTally;
}): Promise<World> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-engine-')));
  await mkdir(join(root, '.clifford'));
  await writeSprint(root, { id: 's', tasks });
  const store = new MemoryStore();
  const openLog: OpenLog = async ({ redact }) =>
    faultyLog(await openMemoryLog(store, { redact }), { faults: everyFault, random, tally });
  const opened: Project[] = [];
  return {
    root,
    store,
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
