import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import type { WorkerWorld } from '../../helpers/worker-world.ts';

/** The environment of a worker whose agents are this program of the fixtures. */
export const agent = (name: string) => ({
  CLIFFORD_AGENT_CMD: `'${process.execPath}' '${fixtureProgram(`agents/${name}.ts`)}'`,
});
/** The same of one that asks a question over MCP. */
export const asker = {
  ...agent('mcp-asker'),
  ASKER_SERVER: join(import.meta.dirname, '../../../dist/mcp-entry.js'),
  ASKER_QUESTIONS: 'Which colour?',
};

/** For tests of links that fail, of which nobody tells: what waits for an answer does for 20 s. On a loaded machine that adds up. */
export const patient = { timeout: 180_000 };

/** Events of these types, each with its subject. */
export const typesOf = (events: readonly StoredEvent[], ...types: string[]) =>
  events.filter(({ type }) => types.includes(type)).map(({ type, subject }) => `${type} ${subject}`);

/** A folder in which agents say that they have begun, and are told to go on: those of `program`, from the fixtures. */
export async function signalFolder(program = 'wait-for-file') {
  const folder = join(await tempRoot(), 'go');
  await mkdir(folder);
  return {
    env: { ...agent(program), GO_DIR: folder },
    begun: (task: string) =>
      vi.waitUntil(() => existsSync(join(folder, `begun-${task}`)), { timeout: 60_000 }),
    go: (task: string) => writeFile(join(folder, `go-${task}`), ''),
    folders: async (task: string) =>
      (await readFile(join(folder, `begun-by-${task}`), 'utf8')).trimEnd().split('\n'),
  };
}

/** Lets the commits of sprints that this worker fetches from now on stand still, until they are to fail. */
export async function heldCommits({ desk }: WorkerWorld, worker: string) {
  const base = dirname(desk);
  const [hook, hold, reached] = [join(base, 'hook'), join(base, 'hold'), join(base, 'committing')];
  await writeFile(hold, '');
  const text = `#!/bin/sh\n[ -e ${hold} ] || exit 0\ntouch ${reached}\nwhile [ -e ${hold} ]; do sleep 0.1; done\nexit 1\n`;
  await writeFile(hook, text, { mode: 0o755 });
  await appendFile(
    join(base, 'fetch.sh'),
    `case "$PWD" in */${worker}/checkouts/*) cp ${hook} .git/hooks/pre-commit;; esac\n`,
  );
  return {
    reached: () => vi.waitUntil(() => existsSync(reached), { timeout: 60_000 }),
    end: () => rm(hold),
  };
}

/** The names of the workers that took a sprint, in order. */
export const takers = (events: readonly StoredEvent[]) =>
  events.flatMap((event) => (event.type === 'job.taken' ? [event.data.worker.replace(/\/.*/, '')] : []));

/** A worker that has said of sprint `one` that it lacks what another one has done, and is started again: it would wait for 15 s. */
export async function startedTwice(world: WorkerWorld, name: string, env: Readonly<Record<string, string>>) {
  const first = await world.worker(name, { env });
  await first.printed(/one unfit: .*what was done in these tasks is not in what was fetched/);
  first.kill('SIGTERM');
  await first.ended;
  return world.worker(name, { env });
}

/** Chain, schemas and legality hold. */
export async function expectVerified(world: WorkerWorld) {
  const verified = await world.human('replay', '--verify');
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.out).toContain('chain, schemas and legality hold');
}

/**
 * Of the attempts of two workers, `far` and `near`, at the task of sprint `one`, which asks, that of the second counts; nothing
 * is recorded twice. The first has to wait for its next sprint by then: what it records of this one comes before.
 */
export async function expectYielded(team: WorkerWorld): Promise<void> {
  const events = await team.events();
  expect(takers(events)).toEqual(['far', 'near']);
  expect(typesOf(events, 'help.requested', 'help.answered', 'task.completed', 'job.ended')).toEqual([
    'help.requested one/a',
    'help.answered one/a',
    'task.completed one/a',
    'job.ended one',
  ]);
  const [far] = events.flatMap((event) => (event.type === 'job.taken' ? [event.data.worker] : []));
  expect(events.findLast(({ type }) => type === 'job.taken')?.data).toMatchObject({
    after: { worker: far, silentMs: 2_000 },
  });
  const lost = events.flatMap((event) => (event.type === 'agent.lost' ? [event.data.reason] : []));
  expect(lost).toEqual([expect.stringMatching(/^nothing was heard of its worker for 2 s(: .*)?$/)]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  // Who has lost it records nothing after that: what ends is the attempt of the second.
  const late = events.slice(events.findLastIndex(({ type }) => type === 'job.taken'));
  expect(typesOf(late, 'agent.exited', 'runner.left', 'task.failed', 'task.retried')).toEqual([
    'agent.exited one/a',
  ]);
  expect(team.origin('show', 'clifford-sprints/one:received.jsonl')).toContain('blue');
  await expectVerified(team);
}

/** A worker has done both tasks of sprint `one`, each in its first attempt. */
export async function expectGoneOn(team: WorkerWorld): Promise<void> {
  const events = await team.events();
  expect(typesOf(events, 'job.taken', 'task.started', 'task.completed', 'agent.lost')).toEqual([
    'job.taken one',
    'task.started one/a',
    'task.completed one/a',
    'task.started one/b',
    'task.completed one/b',
  ]);
  await expectVerified(team);
}
