import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { gitIn } from '../../helpers/temp-repository.ts';
import { workerWorld, type WorkerWorld } from '../../helpers/worker-world.ts';
import {
  agent,
  expectVerified,
  heldCommits,
  signalFolder,
  startedTwice,
  typesOf,
} from './said-by-workers.ts';

const ended = async (world: WorkerWorld) =>
  (await world.events()).flatMap((event) => (event.type === 'job.ended' ? [event.data] : [])).at(-1);

describeWithNats('what a worker fetches', (server) => {
  it('is run without a question the first time; commands that are new later are refused until somebody accepts them', async () => {
    const verify = { tasks: ['b'], manifest: { verify: ['ls'] } };
    const sprints = { zero: ['z'], one: ['a'], two: verify };
    const world = await workerWorld(server.address, { sprints, losses: 1 });
    const env = agent('complete');
    const once = async (name: string) => (await world.worker(name, { env, args: ['--once'] })).ended;
    await world.human('queue', 'add', 'zero');
    expect(await once('only')).toMatchObject({ code: 0 });
    await world.human('queue', 'add', 'one');
    expect(await once('second')).toMatchObject({ code: 0 });
    await world.human('queue', 'add', 'two');
    // However many machines have not agreed, it waits for one that has.
    for (const name of ['only', 'second', 'second']) {
      const { code, out } = await once(name);
      expect(code).toBe(1);
      expect(out).toMatch(/two unfit: .*nobody has agreed to run it: verify: ls/);
    }
    expect((await world.human('queue', 'list')).out).toMatch(
      /^two {2}waits, .* {2}added by ada\n {2}no worker is there that could take it\n {2}not agreed to on 2 machines: .*nobody has agreed to run it: verify: ls\. .*--accept-commands.*\n$/,
    );
    expect(JSON.parse((await world.human('queue', 'list', '--json')).out)).toMatchObject({
      jobs: [{ sprint: 'two', worker: null }],
      left: [],
    });
    const trusting = await world.worker('only', { env, args: ['--accept-commands', '--once'] });
    expect(await trusting.ended).toMatchObject({ code: 0 });
    expect(await ended(world)).toMatchObject({ outcome: 'over' });
    expect((await world.human('queue', 'list')).out).toBe('No sprint is in the queue\n');
  });

  it('keeps a worker that has not agreed to it from no other sprint', async () => {
    const verify = { tasks: ['b'], manifest: { verify: ['ls'] } };
    const sprints = { one: ['a'], two: verify, three: ['c'] };
    const world = await workerWorld(server.address, { sprints });
    const worker = await world.worker('only', { env: agent('complete') });
    await world.human('queue', 'add', 'one');
    await worker.printed(/one over: completed/);
    await world.human('queue', 'add', 'two');
    await worker.printed(/two unfit/);
    await world.human('queue', 'add', 'three');
    await worker.printed(/three over: completed/);
    expect((await world.human('queue', 'list')).out).toMatch(/^two /);
    worker.kill('SIGTERM');
    expect((await worker.ended).err).not.toContain('takes nothing');
  });

  it('has no commands that agents wrote: a worker that never saw it before runs none of those of a sprint that was begun', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a', 'b'] } });
    const mark = join(world.desk, 'agents-command-ran');
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('a');
    // As its agent may: it is committed and pushed with the task.
    const checkout = join(first.folder, 'checkouts/one');
    const config: unknown = JSON.parse(await readFile(join(checkout, 'clifford.json'), 'utf8'));
    const changed = { ...Object(config), verify: [`touch ${mark}`] };
    await writeFile(join(checkout, 'clifford.json'), JSON.stringify(changed));
    first.kill('SIGTERM');
    await go('a');
    await first.ended;
    expect(world.origin('show', 'clifford-sprints/one:clifford.json')).toContain('agents-command-ran');
    const second = await world.worker('second', { env });
    await go('b');
    await second.printed(/one unfit: .*a worker that is started with --accept-commands runs it/);
    expect(await ended(world)).toBeUndefined();
    expect((await world.human('queue', 'list')).out).toMatch(
      new RegExp(
        `^one {2}waits, .*\\n {2}not agreed to on 1 machine: .*nobody has agreed to run it: verify: touch ${mark}`,
      ),
    );
    expect((await world.human('status', 'one')).out).toMatch(
      /^one .*waits in the queue for a worker since .*\n {2}not agreed to on 1 machine: /,
    );
    expect(existsSync(mark)).toBe(false);
    // It is for a worker that somebody has told to.
    const third = await world.worker('third', { env, args: ['--accept-commands'] });
    await third.printed(/one over: completed/);
    expect(existsSync(mark)).toBe(true);
  });

  it('is worked on by one worker one task after the other: worktrees would stay on one machine', async () => {
    const sprints = { one: { tasks: ['a', 'b'], manifest: { parallel: 2 } } };
    const world = await workerWorld(server.address, { sprints });
    await world.human('queue', 'add', 'one');
    const worker = await world.worker('only', { env: agent('complete') });
    await worker.printed(/one over: completed/);
    const events = await world.events();
    expect(events.filter(({ type }) => type.startsWith('worktree.'))).toEqual([]);
    // Nobody has asked for one task at once: that is the worker's.
    expect(events.find(({ type }) => type === 'sprint.started')?.data).not.toHaveProperty('options');
    const manifest = JSON.parse(world.origin('show', 'clifford-sprints/one:sprints/one/manifest.json'));
    expect(manifest).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'completed' }, { status: 'completed' }],
    });
    gitIn(world.desk)(
      'pull',
      '--quiet',
      '--ff-only',
      join(world.desk, '../origin.git'),
      'clifford-sprints/one',
    );
    expect((await world.human('status')).err).toBe('');
    expect(typesOf(events, 'task.completed')).toHaveLength(2);
  });

  it('is said by one’s own configuration, not by a file that lies there', async () => {
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    const stranger = join(world.desk, 'stranger-was-here');
    const worker = await world.worker('only', { args: ['--once'], env: { CLIFFORD_CONFIG: '/dev/null' } });
    await worker.ended;
    const repository = { fetch: `touch ${stranger}` };
    await writeFile(join(worker.folder, 'clifford.json'), JSON.stringify({ repository }));
    await world.human('queue', 'add', 'one');
    const other = await world.worker('only', { args: ['--once'], env: { CLIFFORD_CONFIG: '/dev/null' } });
    expect((await other.ended).err).toContain('repository.fetch of clifford.json is not used');
    expect(existsSync(stranger)).toBe(false);
  });

  /** A sprint whose first task was done by a worker that pushes nowhere and has left. */
  async function taskPushedNowhere() {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a', 'b'] } });
    await Promise.all(['a', 'b'].map(go));
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env, args: ['--push', 'true'] });
    await begun('a');
    first.kill('SIGTERM');
    await first.ended;
    return { world, first, env };
  }

  it('has the work of tasks that are done once its machine is back, which the next one leaves it to', async () => {
    const { world, env } = await taskPushedNowhere();
    const once = await world.worker('second', { env, args: ['--once'] });
    await once.ended;
    const back = await world.worker('first', { env });
    await back.printed(/one over: completed/);
    expect(typesOf(await world.events(), 'job.returned', 'job.ended', 'task.completed')).toEqual([
      'task.completed one/a',
      'job.returned one',
      'job.returned one',
      'task.completed one/b',
      'job.ended one',
    ]);
    expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
    await expectVerified(world);
  });

  it('has the work of tasks that are done on a machine that is there, and busy: others leave it to that, however often', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a', 'b'], two: ['c'] }, losses: 2 });
    await Promise.all(['a', 'b'].map(go));
    await world.human('queue', 'add', 'one');
    const once = await world.worker('first', { env, args: ['--push', 'true'] });
    await begun('a');
    once.kill('SIGTERM');
    await once.ended;
    await world.human('queue', 'add', 'two', '--first');
    const first = await world.worker('first', { env });
    await begun('c');
    for (const name of ['second', 'third', 'second']) {
      const other = await world.worker(name, { env, args: ['--once'] });
      expect((await other.ended).out).toMatch(
        /one unfit: .*a, commit [\da-f]{12}; it is left to worker first\//,
      );
    }
    // It goes on to look for others.
    const next = await world.worker('third', { env });
    await next.printed(/one unfit[^]*waits for a sprint/);
    await go('c');
    await first.printed(/one over: completed/);
    const unfit = (await world.events()).filter(({ type }) => type === 'job.returned').slice(1);
    expect(unfit.map(({ data }) => data)).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ unfit: 'work' })),
    );
    expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
    await expectVerified(world);
  });

  it('has the work of tasks that are done, or the sprint leaves the queue until it has', async () => {
    const { world, first, env } = await taskPushedNowhere();
    const second = await startedTwice(world, 'second', env);
    await second.printed(/one unusable/);
    const sha = gitIn(join(first.folder, 'checkouts/one'))('rev-parse', 'HEAD');
    expect(await ended(world)).toMatchObject({
      outcome: 'unusable',
      reason: expect.stringContaining(
        `what was done in these tasks is not in what was fetched: a, commit ${sha.slice(0, 12)}. Push it from the machine where it was done`,
      ),
    });
    gitIn(join(first.folder, 'checkouts/one'))(
      'push',
      '--quiet',
      'origin',
      'HEAD:refs/heads/clifford-sprints/one',
    );
    await world.human('queue', 'add', 'one');
    await second.printed(/one over: completed/);
    expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
    expect(typesOf(await world.events(), 'task.completed')).toHaveLength(2);
  });

  it('has the work that nobody has committed once somebody has, as the reason says it', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a', 'b'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('a');
    first.kill('SIGKILL');
    await first.ended;
    // Its agent goes on, and says that it is done.
    await go('a');
    await expect
      .poll(async () => typesOf(await world.events(), 'task.completed'), { timeout: 60_000 })
      .toHaveLength(1);
    const there = gitIn(join(first.folder, 'checkouts/one'));
    const commit = (lines: string) => {
      const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
      there(...ada, 'commit', '--quiet', '-m', `By hand\n\n${lines.split(' / ').join('\n')}`);
      there('push', '--quiet', 'origin', 'HEAD:refs/heads/clifford-sprints/one');
    };
    // A sprint that was called the same had such a commit long ago.
    there.write({ 'old.txt': 'old\n' });
    there('add', 'old.txt');
    // It was rewritten since, as by a rebase.
    vi.stubEnv('GIT_AUTHOR_DATE', '2020-01-31T12:00:00Z');
    commit('Clifford-Sprint: one / Clifford-Task: a / Clifford-Attempt: 1');
    vi.unstubAllEnvs();
    const second = await startedTwice(world, 'second', env);
    await second.printed(/one unusable: .*a, which has no commit/);
    const { reason = '' } = (await ended(world)) ?? {};
    const [, lines = ''] =
      /whose message ends with these lines: (.*)\. Push it to clifford-sprints\/one, then: clifford queue add one\./.exec(
        reason,
      ) ?? [];
    there('add', '--all');
    commit(lines);
    await world.human('queue', 'add', 'one');
    await go('b');
    await second.printed(/one over: completed/);
    expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
    expect(typesOf(await world.events(), 'task.completed', 'task.committed')).toEqual(
      ['completed one/a', 'committed one/a', 'completed one/b', 'committed one/b'].map(
        (each) => `task.${each}`,
      ),
    );
    await expectVerified(world);
  });

  it('has not the half of a lost attempt for what a later one was done with', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('a');
    // As its agent may.
    await writeFile(join(first.folder, 'checkouts/one/a.txt'), 'half of it\n');
    first.kill('SIGKILL');
    await first.ended;
    const commits = await heldCommits(world, 'second');
    const second = await world.worker('second', { env });
    // The agent of the first one is ended by then.
    await second.printed(/task\.started/);
    await go('a');
    await commits.reached();
    second.kill('SIGKILL');
    await second.ended;
    await commits.end();
    const back = await world.worker('first', { env });
    const [left] = await back.printed(/one (?:unfit|over): .*/);
    expect(left).toMatch(/^one unfit: .*a, which has no commit/);
    back.kill('SIGTERM');
    await back.ended;
    // It has the whole.
    const again = await world.worker('second', { env });
    await again.printed(/one over: completed/);
    expect(world.origin('show', 'clifford-sprints/one:a.txt')).toMatch(/^by run-/);
    expect(typesOf(await world.events(), 'task.completed', 'task.committed')).toEqual([
      'task.completed one/a',
      'task.committed one/a',
    ]);
    await expectVerified(world);
  });

  it('has not what an agent left elsewhere and nobody has verified: it is done again, not verified here', async () => {
    const world = await workerWorld(server.address, {
      sprints: { one: { tasks: ['a'], manifest: { done: 'exit-0', verify: ['sh ../../../verify.sh'] } } },
    });
    const base = dirname(world.desk);
    await writeFile(
      join(base, 'verify.sh'),
      `[ -e a.txt ] || exit 1; touch ${base}/verifying; while [ ! -e ${base}/go ]; do sleep 0.1; done`,
    );
    const env = { CLIFFORD_AGENT_CMD: `sh -c 'echo "in $PWD" >a.txt'` };
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await expect.poll(() => existsSync(join(base, 'verifying')), { timeout: 60_000 }).toBe(true);
    first.kill('SIGKILL');
    await first.ended;
    await writeFile(join(base, 'go'), '');
    const second = await world.worker('second', { env, args: ['--accept-commands'] });
    await second.printed(/one over: completed/);
    expect(world.origin('show', 'clifford-sprints/one:a.txt')).toMatch(/^in \S+second/);
    expect(typesOf(await world.events(), 'agent.exited', 'agent.lost', 'task.started')).toEqual([
      'task.started one/a',
      'agent.exited one/a',
      'agent.lost one/a',
      'task.started one/a',
      'agent.exited one/a',
    ]);
    await expectVerified(world);
  });

  it('has no work that was lost with a machine: those tasks are done again once a human says so, and the log says which', async () => {
    const { world, env } = await taskPushedNowhere();
    const second = await startedTwice(world, 'second', env);
    await second.printed(/one unusable: .*--from-base/);
    expect((await world.human('queue', 'add', 'one', '--from-base')).code).toBe(0);
    await second.printed(/one over: completed/);
    const events = await world.events();
    expect(typesOf(events, 'work.lost', 'task.reopened')).toEqual(['work.lost one/a', 'task.reopened one/a']);
    const lost = events.find((event) => event.type === 'work.lost');
    expect(lost?.data).toMatchObject({
      by: expect.any(String),
      reason: expect.stringMatching(
        /^what was made of it is lost: its commit [\da-f]{12} is not in what was fetched$/,
      ),
    });
    expect(typesOf(events, 'task.completed')).toEqual(
      ['a', 'a', 'b'].map((task) => `task.completed one/${task}`),
    );
    expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
    await expectVerified(world);
  });

  it('has each task as soon as it was done: a worker that is killed in the next one takes nothing with it', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a', 'b'] } });
    await go('a');
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('b');
    await expect.poll(() => world.origin('branch', '--list', 'clifford-sprints/one')).not.toBe('');
    first.kill('SIGKILL');
    const second = await world.worker('second', { env });
    // The agent of the first one is ended by then.
    await second.printed(/task\.started/);
    await go('b');
    await second.printed(/one over: completed/);
    expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
  });

  it('is said to stay on its machine where it is no commit', async () => {
    const world = await workerWorld(server.address, {
      sprints: { one: ['a', 'b'] },
      config: { commit: false },
    });
    await world.human('queue', 'add', 'one');
    const worker = await world.worker('only', { env: agent('complete') });
    const [said] = await worker.warned(/sprint one has no commits of a, b: .*/);
    expect(said).toContain(`stays in ${worker.folder}/checkouts/one. Set "commit": true`);
  });

  it('leaves the queue with the reason where it cannot be fetched', async () => {
    const world = await workerWorld(server.address, { sprints: { one: ['a'] }, losses: 1 });
    await world.human('queue', 'add', 'one');
    const worker = await world.worker('only', { args: ['--once', '--fetch', 'ls /no/such/place'] });
    expect(await worker.ended).toMatchObject({ code: 1 });
    expect(await ended(world)).toMatchObject({
      outcome: 'unusable',
      reason: expect.stringMatching(
        /^Cannot fetch sprint one: `ls \/no\/such\/place` ended with exit code \d: .*no\/such/,
      ),
    });
  });
});
