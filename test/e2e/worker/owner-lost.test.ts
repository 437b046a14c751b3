import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { gitIn } from '../../helpers/temp-repository.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { expectVerified, signalFolder, startedTwice, takers, typesOf } from './said-by-workers.ts';

const becomes = (file: string) => vi.waitUntil(() => existsSync(file), { timeout: 60_000 });

describeWithNats('what a worker has made and not pushed when it is killed', (server) => {
  /** A worker has the sprint, another one had its second task; the first one hangs in its push once it has what is in this file. */
  async function killedInPush(tasks: readonly string[], file: string) {
    const signals = await signalFolder();
    const world = await workerWorld(server.address, {
      sprints: { one: { tasks, manifest: { parallel: 2 } } },
    });
    const base = dirname(world.desk);
    await writeFile(
      join(base, 'push.sh'),
      `case "$CLIFFORD_BRANCH" in clifford-sprints/*) if [ -e ${file} ] && [ ! -e ${base}/goes-on ]; then
        touch ${base}/pushing; while [ ! -e ${base}/goes-on ]; do sleep 0.1; done; exit 1
      fi; esac
      git push --quiet origin "HEAD:refs/heads/$CLIFFORD_BRANCH"`,
    );
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env: signals.env });
    /** It is killed while it pushes. Nothing of it is pushed any more. */
    const kill = async () => {
      await becomes(join(base, 'pushing'));
      owner.kill('SIGKILL');
      await owner.ended;
      await writeFile(join(base, 'goes-on'), '');
    };
    return {
      ...signals,
      world,
      owner,
      kill,
      /** The other one has done its task by then, and left; the agent of the next task may go on. */
      killedAfterHelp: async () => {
        await signals.begun('a');
        const helper = await world.worker('helper', { env: signals.env });
        await signals.begun('b');
        await signals.go('b');
        await helper.printed(/one\/b over/);
        helper.kill('SIGTERM');
        await helper.ended;
        await signals.go('a');
        await kill();
        await signals.go('c');
      },
      files: () => world.origin('ls-tree', '--name-only', 'clifford-sprints/one'),
    };
  }

  it('is merged again by the next one, where a worker that had the task has pushed it', async () => {
    const { world, env, killedAfterHelp, files } = await killedInPush(['a', 'b', 'c'], 'b.txt');
    await killedAfterHelp();
    const next = await world.worker('next', { env });
    await next.printed(/one over: completed/);
    expect(files()).toMatch(/^a\.txt\nb\.txt\nc\.txt$/m);
    const events = await world.events();
    expect(takers(events)).toEqual(['owner', 'next']);
    const types = ['offer.unmerged', 'worktree.merged', 'task.reopened', 'work.lost'];
    expect(typesOf(events, ...types).filter((said) => said.endsWith('/b'))).toEqual([
      'worktree.merged one/b',
      'offer.unmerged one/b',
      'worktree.merged one/b',
    ]);
    await expectVerified(world);
  });

  it('is put aside when its machine is back, where others have made it again meanwhile', async () => {
    const { world, owner, env, begun, go, killedAfterHelp, files } = await killedInPush(
      ['a', 'b', 'c', 'd'],
      'b.txt',
    );
    await killedAfterHelp();
    const next = await world.worker('next', { env });
    await expect.poll(files, { timeout: 60_000 }).toMatch(/^b\.txt$/m);
    await begun('d');
    next.kill('SIGKILL');
    const back = await world.worker('owner', { env });
    await back.printed(/one taken, [^]*task\.started/);
    await go('d');
    await back.printed(/one over: completed/);
    expect(files()).toMatch(/^a\.txt\nb\.txt\nc\.txt\nclifford\.json\nd\.txt$/m);
    const checkout = gitIn(join(owner.folder, 'checkouts/one'));
    expect(checkout('branch', '--list')).toMatch(/clifford-sprints\/one-[\da-f]{7}/);
    await expectVerified(world);
  });

  it('is merged again, too, if with that the sprint was completed', async () => {
    const { world, owner, env, begun, go, kill, files } = await killedInPush(['a', 'b'], 'b.txt');
    await begun('a');
    const helper = await world.worker('helper', { env });
    await begun('b');
    await go('a');
    await go('b');
    await helper.printed(/one\/b over/);
    helper.kill('SIGTERM');
    await helper.ended;
    await owner.printed(/sprint\.completed/);
    await kill();
    const next = await world.worker('next', { env });
    await next.printed(/one over: completed/);
    expect(files()).toMatch(/^a\.txt\nb\.txt$/m);
    expect(typesOf(await world.events(), 'offer.unmerged', 'sprint.completed', 'job.ended')).toEqual([
      'sprint.completed one',
      'offer.unmerged one/b',
      'sprint.completed one',
      'job.ended one',
    ]);
    await expectVerified(world);
  });

  it('is missed in a sprint that is completed, and done again when a human says so', async () => {
    const { world, env, begun, go, kill, files } = await killedInPush(['a'], 'a.txt');
    await begun('a');
    await go('a');
    await kill();
    const next = await startedTwice(world, 'next', env);
    await next.printed(/one unusable: .*what was done in these tasks is not in what was fetched: a, commit/);
    expect(await world.human('queue', 'add', 'one', '--from-base')).toMatchObject({ code: 0 });
    await next.printed(/one over: completed/);
    expect(files()).toMatch(/^a\.txt$/m);
    expect(await world.human('queue', 'add', 'one')).toMatchObject({ code: 2 });
    await expectVerified(world);
  });

  it('is pushed by the next one in the same folder, though the sprint is completed', async () => {
    const { world, env, begun, go, kill, files } = await killedInPush(['a'], 'a.txt');
    await begun('a');
    await go('a');
    await kill();
    const again = await world.worker('owner', { env });
    await again.printed(/one over: completed/);
    expect(files()).toMatch(/^a\.txt$/m);
    expect(typesOf(await world.events(), 'task.completed', 'sprint.completed')).toHaveLength(2);
  });
});
