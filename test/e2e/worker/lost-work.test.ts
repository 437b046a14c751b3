import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { gitIn } from '../../helpers/temp-repository.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { expectVerified, signalFolder, typesOf } from './said-by-workers.ts';

const becomes = (file: string) => vi.waitUntil(() => existsSync(file), { timeout: 60_000 });

describeWithNats('a task that a worker has completed and not pushed', (server) => {
  /** One worker has the sprint and is at its first task, another one at the second, which it is told to complete. */
  async function atWork(prepare: (base: string) => Promise<void>) {
    const signals = await signalFolder();
    const tasks = ['a', 'b'];
    const world = await workerWorld(server.address, {
      sprints: { one: { tasks, manifest: { parallel: 2 } } },
    });
    const base = dirname(world.desk);
    await prepare(base);
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env: signals.env });
    await signals.begun('a');
    const helper = await world.worker('helper', { env: signals.env });
    await signals.begun('b');
    await signals.go('b');
    /** The sprint ends, and has the work of both tasks. */
    const expectDone = async () => {
      await signals.go('a');
      await owner.printed(/one over: completed/);
      expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
      expect(typesOf(await world.events(), 'task.reopened')).toEqual(['task.reopened one/b']);
      await expectVerified(world);
    };
    /** The same with what the second one has made, once a human has seen to it. */
    const expectMerged = async (see: () => Promise<void>) => {
      await signals.go('a');
      await expect.poll(async () => (await world.human('questions')).out).toContain('cannot be merged');
      await see();
      await owner.printed(/one over: completed/);
      expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
      expect(typesOf(await world.events(), 'task.completed')).toHaveLength(2);
      await expectVerified(world);
    };
    return { world, base, helper, env: signals.env, expectDone, expectMerged };
  }

  it('before it was killed is done again, also where the next one has no room for it', async () => {
    const { world, base, helper, env, expectDone } = await atWork((folder) =>
      writeFile(
        join(folder, 'push.sh'),
        `case "$CLIFFORD_BRANCH" in clifford/*)
          touch ${folder}/pushing; while [ ! -e ${folder}/refuse ]; do sleep 0.1; done; exit 1
        esac
        git push --quiet origin "HEAD:refs/heads/$CLIFFORD_BRANCH"`,
      ),
    );
    await becomes(join(base, 'pushing'));
    helper.kill('SIGKILL');
    await mkdir(join(base, 'next'));
    await writeFile(join(base, 'next/task-checkouts'), 'in the way of the folder');
    const next = await world.worker('next', { env });
    await next.printed(/one\/b unfit/);
    next.kill('SIGTERM');
    await writeFile(join(base, 'refuse'), '');
    await expectDone();
  });

  it('since its push failed is asked about, and where it is; pushed by hand, it is merged', async () => {
    const { world, base, helper, expectMerged } = await atWork((folder) =>
      writeFile(
        join(folder, 'push.sh'),
        `case "$CLIFFORD_BRANCH" in clifford/*) exit 1;; esac
        git push --quiet origin "HEAD:refs/heads/$CLIFFORD_BRANCH"`,
      ),
    );
    await helper.printed(/one\/b unpushed/);
    await expectMerged(async () => {
      const asked = (await world.human('questions')).out;
      expect(asked).toContain('which worker helper/');
      expect(asked).toMatch(
        /Worker helper\/\w+ has the changes: in task-checkouts\/one\/b below its folder, on the branch clifford\/one\/b\. Where origin lacks that branch, push it from there; then try again/,
      );
      gitIn(join(base, 'helper/task-checkouts/one/b'))('push', '--quiet', 'origin', 'clifford/one/b');
      expect((await world.human('answer', 'last', 'Try again: I have put it right')).code).toBe(0);
    });
  });

  it('since it was told to leave at once is done again by the next one', async () => {
    const { world, base, helper, env, expectDone } = await atWork(async (folder) => {
      const hook = join(folder, 'hook');
      await writeFile(
        hook,
        `#!/bin/sh\n[ -e ${folder}/committing ] && exit 0\ntouch ${folder}/committing\nsleep 30\n`,
        { mode: 0o755 },
      );
      await appendFile(
        join(folder, 'fetch.sh'),
        `case "$PWD" in */task-checkouts/*) cp ${hook} .git/hooks/pre-commit;; esac\n`,
      );
    });
    await becomes(join(base, 'committing'));
    helper.kill('SIGTERM');
    await helper.warned(/SIGTERM/);
    helper.kill('SIGTERM');
    await helper.ended;
    await world.worker('next', { env });
    await expectDone();
    await rm(join(base, 'hook'));
  });
});
