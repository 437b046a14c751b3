import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { asker, expectVerified } from './said-by-workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'clifford-worker-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everybody = ['--keys', 'keys', '--worker', 'w', '--human', 'ann'];
const { out: accounts } = await clifford(['log', 'access', 'app', ...everybody], { cwd: folder });
const keyOf = (who: string) => join(folder, `keys/app.${who}.nk`);

describeWithNats(
  'a worker on a server with the accounts that clifford log access prints',
  (server) => {
    it('hands its key on to agents in what it has fetched, though its file is named from its own folder', async () => {
      vi.stubEnv('CLIFFORD_LOG_NKEY', keyOf('human.ann'));
      const world = await workerWorld(server.address, { project: 'app', sprints: { one: ['a'] } });
      await world.human('queue', 'add', 'one');
      const own = join(world.desk, '../only');
      await mkdir(own);
      await cp(keyOf('worker.w'), join(own, 'mine.nk'));
      const worker = await world.worker('only', { env: { ...asker, CLIFFORD_LOG_NKEY: 'mine.nk' } });
      const open = async () => JSON.parse((await world.human('questions', '--json')).out) as { id: string }[];
      await expect.poll(open).toHaveLength(1);
      const [{ id } = { id: '' }] = await open();
      expect(await world.human('answer', id, 'blue')).toMatchObject({ code: 0 });
      await worker.printed(/one over: completed/);
      expect(world.origin('show', 'clifford-sprints/one:received.jsonl')).toContain('blue');
      await expectVerified(world);
    });
  },
  { config: `accounts {\n${accounts}\n}` },
);
