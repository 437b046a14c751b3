import { expect, it, onTestFinished } from 'vitest';
import { CliffordError } from '../../../src/errors.ts';
import { ConflictError } from '../../../src/events/event-log.ts';
import type { EventLog } from '../../../src/events/event-log.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import { MemoryStore, openMemoryLog } from '../../events/memory-log.ts';
import { on } from '../../helpers/history.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** A project whose log is no file, and does some things otherwise. */
async function projectOn(store: MemoryStore, otherwise: (log: EventLog) => Partial<EventLog> = () => ({})) {
  const project = await openProject({
    root: await tempRoot(),
    source: '/clifford/cli',
    env: {},
    openLog: async ({ redact }) => {
      const log = await openMemoryLog(store, { redact });
      return { ...log, ...otherwise(log) };
    },
  });
  onTestFinished(() => project.close());
  return project;
}

it('a project runs on any log that keeps the contract, and others see what it decides', async () => {
  const store = new MemoryStore();
  const [one, other] = [await projectOn(store), await projectOn(store)];
  const seen = other.until((state) => state.streams.get('s')?.toolCalls);
  await one.record('s', [on('s', 'tool.requested')]);
  expect(await seen).toBe(1);
});

it('a decision that others always beat ends after a hundred tries, and says so', async () => {
  let tries = 0;
  const project = await projectOn(new MemoryStore(), () => ({
    append: async (stream) => {
      tries += 1;
      throw new ConflictError({ stream, expected: 0, actual: tries });
    },
  }));
  const decided = project.dispatch('s', () => [on('s', 'sprint.created')]);
  await expect(decided).rejects.toMatchObject({ code: 'LOG_CONTENDED', recovery: 'retry' });
  expect(tries).toBe(100);
});

it('what was appended is reported so, although the log cannot be read or lags for a moment', async () => {
  const trouble = ['unreadable', 'stale', 'unreadable'];
  let appended = false;
  const project = await projectOn(new MemoryStore(), (log) => ({
    async append(...args) {
      const stored = await log.append(...args);
      appended = true;
      return stored;
    },
    async *read(options) {
      const next = appended ? trouble.shift() : undefined;
      if (next === 'stale') return;
      if (next === 'unreadable')
        throw new CliffordError('Cannot read', { code: 'LOG_BUSY', fix: 'Wait', recovery: 'retry' });
      yield* log.read(options);
    },
  }));
  expect(await project.record('s', [on('s', 'tool.requested')])).toHaveLength(1);
  expect(trouble).toEqual([]);
  expect(project.state.streams.get('s')?.toolCalls).toBe(1);
});
