import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CliffordError } from '../../../src/errors.ts';
import { ConflictError } from '../../../src/events/log/event-log.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { OutcomeUnknownError } from '../../../src/events/log/outcome-unknown.ts';
import { isSameState } from '../../../src/workflow/project/same-state.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { MemoryStore, openMemoryLog } from '../../events/log/memory-log.ts';
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

it('what was appended although nobody was told so is there once when it is recorded again', async () => {
  let isLost = true;
  const lost = new OutcomeUnknownError('Lost', { code: 'LOG_POISONED', fix: '', recovery: 'retry' });
  const project = await projectOn(new MemoryStore(), (log) => ({
    async append(...args) {
      const stored = await log.append(...args);
      if (isLost) throw lost;
      return stored;
    },
    select: (selection) => {
      if (isLost) throw lost;
      return log.select(selection);
    },
  }));
  const facts = [on('s', 'tool.requested')];
  await expect(project.record('s', facts)).rejects.toThrow('Lost');
  isLost = false;
  await project.record('s', facts);
  await project.record('s', [on('s', 'tool.returned')]);
  expect((await project.refresh()).streams.get('s')?.version).toBe(2);
});

it('who waits for something waits on while the log cannot be reached, from the beginning or later', async () => {
  const store = new MemoryStore();
  let isAway = false;
  let tries = 0;
  const away = () => {
    tries += 1;
    return new CliffordError('Cannot reach it', { code: 'LOG_UNREACHABLE', fix: '', recovery: 'retry' });
  };
  const project = await projectOn(store, (log) => ({
    async *read(options) {
      if (isAway) throw away();
      yield* log.read(options);
    },
    async *follow(options) {
      for await (const batch of log.follow(options)) {
        if (isAway) throw away();
        yield batch;
      }
    },
  }));
  const other = await projectOn(store);
  const calls = () => project.until((state) => state.streams.get('s')?.toolCalls);
  const before = calls();
  isAway = true;
  const after = calls();
  await other.record('s', [on('s', 'tool.requested')]);
  await expect.poll(() => tries).toBeGreaterThan(1);
  isAway = false;
  expect(await Promise.all([before, after])).toEqual([1, 1]);
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

/** A project whose log cannot be read, for this reason, once something was appended. `heal` ends that. */
async function projectLosingSight(store: MemoryStore, trouble: 'damaged' | 'lagging') {
  let isBlind = false;
  let isHealed = false;
  const project = await projectOn(store, (log) => ({
    async append(...args) {
      const stored = await log.append(...args);
      isBlind = !isHealed;
      return stored;
    },
    async *read(options) {
      if (isBlind && trouble === 'lagging') return;
      if (isBlind)
        throw new CliffordError('Damaged', { code: 'LOG_CORRUPT', fix: '', recovery: 'fix-input' });
      yield* log.read(options);
    },
    async *follow({ signal }) {
      await once(signal, 'abort');
      yield* [];
    },
  }));
  const heal = () => {
    isHealed = true;
    isBlind = false;
  };
  return { project, heal };
}

it.each(['damaged', 'lagging'] as const)(
  'what was decided stands, and is seen, although the log is %s from then on',
  async (trouble) => {
    const store = new MemoryStore();
    const other = await projectOn(store);
    const { project, heal } = await projectLosingSight(store, trouble);
    const told: string[] = [];
    project.subscribe((events) => told.push(...events.map(({ type }) => type)));
    await other.record('t', [on('t', 'tool.requested')]);
    const decided = await project.dispatch('s', () => [on('s', 'sprint.created')]);
    expect(decided).toHaveLength(1);
    expect(project.state.streams.get('s')?.version).toBe(1);
    expect(told.filter((type) => type === 'sprint.created')).toHaveLength(1);

    heal();
    await other.record('t', [on('t', 'tool.requested')]);
    await project.refresh();
    expect(isSameState(project.state, (await projectOn(store)).state)).toBe(true);
    expect(told.filter((type) => type === 'sprint.created')).toHaveLength(1);
  },
);

it('what was decided stands although the project is closed before the log shows it', async () => {
  const { project } = await projectLosingSight(new MemoryStore(), 'lagging');
  const decided = project.dispatch('s', () => [on('s', 'sprint.created')]);
  await vi.waitFor(async () => expect(await project.log.head('s')).toBe(1));
  await project.close();
  expect(await decided).toHaveLength(1);
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

it('files that could not follow what was decided, for whatever reason, fail no decision and follow later', async () => {
  let trouble = 0;
  const project = await projectOn(new MemoryStore(), (log) => ({
    async append(...args) {
      trouble = 2;
      return log.append(...args);
    },
    async *read(options) {
      // The first reading is that of the decision, the second that of the files.
      if (trouble > 0 && --trouble === 0) throw new TypeError('somebody made a mistake');
      yield* log.read(options);
    },
  }));
  const agent = { id: 'session-1' };
  await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which port?', task: 'a' });
  expect(project.unwritten()).toMatchObject([
    { code: 'PROJECTION_UNWRITABLE', message: expect.stringContaining('somebody made a mistake') },
  ]);
  await expect
    .poll(() => readFile(join(project.dir, 'memory.json'), 'utf8').catch(() => ''))
    .toContain('Which port?');
  expect(project.unwritten()).toEqual([]);
});
