import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { makeRepository } from '../../helpers/temp-repository.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { agent, expectVerified, signalFolder, takers, typesOf } from './said-by-workers.ts';

describeWithNats('a worker on a machine that cannot hold the files', (server) => {
  /** A team of which one machine has a file where its checkouts would be. */
  async function world(options: Parameters<typeof workerWorld>[1]) {
    const made = await workerWorld(server.address, options);
    const bad = async (name: string, where = 'checkouts') => {
      const folder = join(dirname(made.desk), name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, where), 'in the way');
    };
    return { ...made, bad };
  }

  it('gives the sprint back without a loss, says why, and takes nothing for a while: another one takes it', async () => {
    const { bad, ...team } = await world({ sprints: { one: ['a'] }, losses: 2 });
    await bad('bad');
    await team.human('queue', 'add', 'one');
    const unfit = await team.worker('bad', { env: agent('complete') });
    await unfit.printed(/one unfit: Cannot fetch sprint one: .*\/bad\/checkouts\/one cannot be made/);
    await unfit.warned(/takes nothing for 15 s, since it could not begin one/);
    const good = await team.worker('good', { env: agent('complete') });
    await good.printed(/one over: completed/);
    const events = await team.events();
    expect(takers(events)).toEqual(['bad', 'good']);
    const returned = events.find(({ type }) => type === 'job.returned');
    expect(returned?.data).toMatchObject({ unfit: true, reason: expect.stringContaining('cannot be made') });
    unfit.kill('SIGTERM');
    expect(await unfit.ended).toMatchObject({ code: 0 });
    await expectVerified(team);
  });

  it('is also one that was started in another folder and fetches nothing: the sprint stays in the queue', async () => {
    const { bad: _bad, ...team } = await world({ sprints: { one: ['a'] }, losses: 2 });
    await team.human('queue', 'add', 'one');
    const env = { ...agent('complete'), CLIFFORD_CONFIG: devNull };
    const lost = await team.worker('lost', { env, args: ['--once'] });
    expect(await lost.ended).toMatchObject({
      code: 1,
      out: expect.stringMatching(/one unfit: .*manifest\.json is missing/),
    });
    const good = await team.worker('good', { env: agent('complete') });
    await good.printed(/one over: completed/);
    expect(takers(await team.events())).toEqual(['lost', 'good']);
  });

  it('does not take the repository that it was started in for one that was fetched', async () => {
    const { bad: _bad, ...team } = await world({ sprints: { one: ['a'] }, losses: 1 });
    await team.human('queue', 'add', 'one');
    const folder = join(dirname(team.desk), 'inside');
    await mkdir(folder, { recursive: true });
    makeRepository(folder);
    const inside = await team.worker('inside', { args: ['--once', '--fetch', 'git rev-parse --git-dir'] });
    expect((await inside.ended).out).toMatch(/one unusable: .*not a git repository/);
  });

  it('does not keep a sprint for ever that no machine can begin: it leaves the queue with the reason', async () => {
    const { bad, ...team } = await world({ sprints: { one: ['a'] }, losses: 2 });
    await Promise.all(['first', 'second'].map((name) => bad(name)));
    await team.human('queue', 'add', 'one');
    // One machine says little about the files, however often it tries.
    for (let started = 0; started < 3; started += 1) {
      const worker = await team.worker('first', { env: agent('complete'), args: ['--once'] });
      expect(await worker.ended).toMatchObject({ code: 1 });
    }
    const second = await team.worker('second', { env: agent('complete') });
    await second.printed(/one unusable: /);
    // That the sprint has left the queue makes the machine no better.
    await second.warned(/takes nothing for 15 s, since it could not begin one/);
    const events = await team.events();
    expect(typesOf(events, 'job.returned', 'job.ended')).toEqual([
      'job.returned one',
      'job.returned one',
      'job.returned one',
      'job.ended one',
    ]);
    expect(events.at(-1)?.data).toMatchObject({
      outcome: 'unusable',
      reason: expect.stringMatching(
        /^2 machines in a row could not begin it, the last one: Cannot fetch sprint one: /,
      ),
    });
    expect((await team.human('queue', 'list')).out).toMatch(
      /^No sprint is in the queue\none left the queue .*: unusable, says worker second\/\S+: 2 machines in a row could not begin it/,
    );
    // Once it is mended somewhere, it can be added again.
    await team.human('queue', 'add', 'one');
    const good = await team.worker('good', { env: agent('complete') });
    await good.printed(/one over: completed/);
  });

  it('is one machine, however many workers it has: they alone do not throw a sprint out of the queue', async () => {
    const { bad, ...team } = await world({ sprints: { one: ['a'] }, losses: 2 });
    await team.human('queue', 'add', 'one');
    for (const name of ['first', 'second', 'third']) {
      await bad(name);
      const worker = await team.worker(name, { env: agent('complete'), args: ['--once'], machine: 'full' });
      expect(await worker.ended).toMatchObject({ code: 1 });
    }
    const good = await team.worker('good', { env: agent('complete') });
    await good.printed(/one over: completed/);
    expect(takers(await team.events())).toEqual(['first', 'second', 'third', 'good']);
  });

  it('has a sprint wait once a second one could not begin it: what they all lack may come back', async () => {
    const { bad, ...team } = await world({ sprints: { one: ['a'] }, losses: 3 });
    await team.human('queue', 'add', 'one');
    for (const name of ['first', 'second']) {
      await bad(name);
      const worker = await team.worker(name, { env: agent('complete'), args: ['--once'] });
      expect(await worker.ended).toMatchObject({ code: 1 });
    }
    const good = await team.worker('good', { env: agent('complete'), args: ['--once'] });
    expect(await good.ended).toMatchObject({ code: 0 });
    expect(takers(await team.events())).toEqual(['first', 'second']);
    expect((await team.human('queue', 'list')).out).toContain('one');
  });

  it('gives back a task in the same way', async () => {
    const { env, begun, go } = await signalFolder();
    const { bad, ...team } = await world({
      sprints: { one: { tasks: ['a', 'b'], manifest: { parallel: 2 } } },
    });
    await bad('bad', 'task-checkouts');
    await team.human('queue', 'add', 'one');
    const owner = await team.worker('owner', { env });
    await begun('a');
    const unfit = await team.worker('bad', { env });
    await unfit.printed(/one\/b unfit: /);
    const good = await team.worker('good', { env });
    await begun('b');
    await go('b');
    await good.printed(/one\/b over/);
    await go('a');
    await owner.printed(/one over: completed/);
    expect(typesOf(await team.events(), 'offer.taken', 'offer.returned', 'offer.ended')).toEqual([
      'offer.taken one/b',
      'offer.returned one/b',
      'offer.taken one/b',
      'offer.ended one/b',
    ]);
    await expectVerified(team);
  });

  it('is no reason to refuse for good what only such a machine can do: queued again, the task is offered again', async () => {
    const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md`, status: 'pending' }));
    const manifest = { tasks: tasks.map((task) => (task.id === 'b' ? { ...task, needs: ['gpu'] } : task)) };
    const { bad, ...team } = await world({ sprints: { one: { tasks: ['a', 'b'], manifest } }, losses: 1 });
    const env = agent('complete');
    await bad('bad', 'task-checkouts');
    await team.human('queue', 'add', 'one');
    const owner = await team.worker('owner', { env });
    await owner.printed(/offer\.made/);
    expect((await team.human('status')).out).toMatch(/b {2}pending {2}waits for a worker with gpu$/m);
    const unfit = await team.worker('bad', { env, args: ['--labels', 'gpu', '--once'] });
    await unfit.ended;
    await owner.printed(/one over: failed: no other worker could do b/);
    await team.human('queue', 'add', 'one');
    await owner.printed(/offer\.made[^]*offer\.made/);
    const good = await team.worker('good', { env, args: ['--labels', 'gpu'] });
    await good.printed(/one\/b over/);
    await owner.printed(/one over: completed/);
    await expectVerified(team);
  });
});

describeWithNats('a task that another worker has', (server) => {
  it('is prepared there as in a worktree: set up, with a number of its own, and what that worker has copied', async () => {
    const { env, begun, go } = await signalFolder();
    const worktrees = {
      setup: `sh -c 'echo "$PORT $(cat .env)" > port'`,
      copy: ['.env', 'private'],
      env: { PORT: '{port:3000}' },
    };
    const team = await workerWorld(server.address, {
      sprints: { one: { tasks: ['a', 'b'], manifest: { parallel: 2 } } },
      config: { worktrees, verify: [`sh -c 'test -n "$PORT" || test ! -e port'`] },
    });
    await team.human('queue', 'add', 'one');
    const owner = await team.worker('owner', { env });
    await begun('a');
    const folder = join(dirname(team.desk), 'helper');
    await mkdir(folder);
    await writeFile(join(folder, '.env'), 'SECRET_OF=helper\n');
    await writeFile(join(folder, 'private'), 'nobody has agreed to copy it');
    await writeFile(
      join(folder, 'clifford.json'),
      JSON.stringify({ worktrees: { copy: ['.env', 'task-checkouts', '.clifford'] } }),
    );
    const helper = await team.worker('helper', { env });
    await begun('b');
    const checkout = join(folder, 'task-checkouts/one/b');
    expect(await readFile(join(checkout, 'port'), 'utf8')).toBe('3001 SECRET_OF=helper\n');
    expect(['private', 'task-checkouts'].filter((name) => existsSync(join(checkout, name)))).toEqual([]);
    await helper.warned(/does not copy task-checkouts \(worktrees\.copy\)/);
    await helper.warned(/does not copy \.clifford \(worktrees\.copy\)/);
    await go('b');
    await helper.printed(/one\/b over/);
    await go('a');
    await owner.printed(/one over: completed/);
    // What was copied and made before the task began is none of its work.
    expect(team.origin('ls-tree', '--name-only', 'clifford-sprints/one')).not.toMatch(/^(\.env|port)$/m);
  });

  it('is given back where it cannot be set up, and done by the worker of the sprint', async () => {
    const { env, begun, go } = await signalFolder();
    const team = await workerWorld(server.address, {
      sprints: { one: { tasks: ['a', 'b'], manifest: { parallel: 2 } } },
      config: { worktrees: { setup: 'ls /no/such/place' } },
    });
    await team.human('queue', 'add', 'one');
    const owner = await team.worker('owner', { env });
    await begun('a');
    const helper = await team.worker('helper', { env });
    await helper.printed(
      /one\/b unfit: Cannot set up the worktree of task b: `ls \/no\/such\/place` ended with/,
    );
    await Promise.all(['a', 'b'].map(go));
    await owner.printed(/one over: completed/);
    await expectVerified(team);
  });
});
