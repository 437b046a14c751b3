import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
      vi.waitUntil(() => existsSync(join(folder, `begun-${task}`)), { timeout: 30_000 }),
    go: (task: string) => writeFile(join(folder, `go-${task}`), ''),
    folders: async (task: string) =>
      (await readFile(join(folder, `begun-by-${task}`), 'utf8')).trimEnd().split('\n'),
  };
}

/** The names of the workers that took a sprint, in order. */
export const takers = (events: readonly StoredEvent[]) =>
  events.flatMap((event) => (event.type === 'job.taken' ? [event.data.worker.replace(/\/.*/, '')] : []));

/** Chain, schemas and legality hold. */
export async function expectVerified(world: WorkerWorld) {
  const verified = await world.human('replay', '--verify');
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.out).toContain('chain, schemas and legality hold');
}
