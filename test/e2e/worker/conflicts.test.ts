import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { gitIn } from '../../helpers/temp-repository.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { expectVerified, heldCommits, signalFolder, takers, typesOf } from './said-by-workers.ts';

/** Looking at questions takes from what the workers have of a machine with two cores. */
const rarely = { timeout: 120_000, interval: 1_000 };

describeWithNats('changes that cannot be merged, of a sprint whose worker is killed,', (server) => {
  /** Two workers have made the same file; the one that has the sprint asks about that. */
  async function inConflict() {
    const signals = await signalFolder('shared-file');
    const world = await workerWorld(server.address, {
      sprints: { one: { tasks: ['a', 'b'], manifest: { parallel: 2 } } },
      // On a loaded machine nothing may be heard of a worker for seconds that is there.
      deadlineMs: 10_000,
    });
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env: signals.env });
    await signals.begun('a');
    const next = await world.worker('next', { env: signals.env });
    await signals.begun('b');
    await signals.go('b');
    await next.printed(/one\/b over/);
    await signals.go('a');
    const questions = async () => (await world.human('questions')).out;
    await expect.poll(questions, rarely).toContain('both have changed shared.txt');
    await expect
      .poll(() => world.origin('ls-tree', '--name-only', 'clifford-sprints/one'))
      .toContain('shared.txt');
    return {
      ...signals,
      world,
      questions,
      owner,
      next,
      kill: async () => {
        expect(takers(await world.events())).toEqual(['owner']);
        owner.kill('SIGKILL');
        await owner.ended;
        await next.printed(/one taken/);
      },
      putRight: async () =>
        expect(await world.human('answer', 'last', 'Let an agent put it right')).toMatchObject({ code: 0 }),
      expectBoth: async () => {
        await next.printed(/one over: completed/);
        expect(world.origin('show', 'clifford-sprints/one:shared.txt')).toMatch(/^by b\nby a$/);
        const events = await world.events();
        expect(takers(events)).toEqual(['owner', 'next']);
        expect(typesOf(events, 'worktree.merged', 'sprint.completed', 'work.lost')).toEqual([
          'worktree.merged one/b',
          'sprint.completed one',
        ]);
        await expectVerified(world);
        return events;
      },
    };
  }

  it('are asked about again by the next one, with where they are now', async () => {
    const { world, questions, kill, begun, go, putRight, expectBoth } = await inConflict();
    const asked = async () => typesOf(await world.events(), 'help.requested');
    await kill();
    await expect.poll(asked).toHaveLength(2);
    expect(await questions()).toContain('both have changed shared.txt');
    await putRight();
    await begun('b-again');
    await go('b-again');
    const events = await expectBoth();
    expect(typesOf(events, 'worktree.claimed', 'help.requested', 'help.dismissed')).toEqual([
      'worktree.claimed one/b',
      'help.requested one',
      'help.dismissed one',
      'worktree.claimed one/b',
      'help.requested one',
    ]);
  });

  it('are put right by an agent of the next one, where one was at it', async () => {
    const { kill, begun, go, folders, putRight, expectBoth } = await inConflict();
    await putRight();
    await begun('b-again');
    await kill();
    await expect.poll(async () => (await folders('b-again')).length).toBe(2);
    await go('b-again');
    const events = await expectBoth();
    expect(typesOf(events, 'help.requested', 'agent.lost')).toEqual([
      'help.requested one',
      'agent.lost one/b',
    ]);
  });

  it('are begun again where the first one is back, which has half of what the next one was done with', async () => {
    const { world, env, next, questions, kill, begun, go, folders, putRight } = await inConflict();
    await putRight();
    await begun('b-again');
    const [half = ''] = await folders('b-again');
    // As its agent may.
    await writeFile(join(half, 'shared.txt'), 'by b\nhalf of it\n');
    gitIn(half)('add', 'shared.txt');
    const commits = await heldCommits(world, 'next');
    await kill();
    await expect.poll(async () => (await folders('b-again')).length).toBe(2);
    await go('b-again');
    await commits.reached();
    next.kill('SIGKILL');
    await next.ended;
    const back = await world.worker('owner', { env });
    await expect.poll(questions, rarely).toContain('both have changed shared.txt');
    await putRight();
    await back.printed(/one over: completed/);
    expect(world.origin('show', 'clifford-sprints/one:shared.txt')).toMatch(/^by b\nby a$/);
    expect(await readFile(join(half, 'shared.txt'), 'utf8')).toBe('by b\nhalf of it\n');
    expect(typesOf(await world.events(), 'offer.unmerged', 'task.uncommitted', 'worktree.merged')).toEqual([
      'offer.unmerged one/b',
      'worktree.merged one/b',
    ]);
    await expectVerified(world);
    await commits.end();
  });
});
