import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startClifford } from '../../helpers/clifford-process.ts';
import { hasNamespaces, anotherBoot } from '../../helpers/namespaces.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { repositoryScripts, workerWorld } from '../../helpers/worker-world.ts';
import { agent, asker, expectVerified, signalFolder, takers, typesOf } from './said-by-workers.ts';

describeWithNats('workers with one log on a server', (server) => {
  it('run sprints of a queue, ask, are answered from elsewhere, and push what was made', async () => {
    const sprints = { one: ['a', 'b'], two: ['c'], three: ['d'] };
    const world = await workerWorld(server.address, { sprints });
    for (const sprint of Object.keys(sprints))
      expect((await world.human('queue', 'add', sprint)).out).toContain(`queued ${sprint}`);
    expect(await world.human('queue', 'add', 'two')).toMatchObject({
      code: 1,
      err: 'clifford: Cannot add sprint two to the queue: it is in it already\n  See where it stands with: clifford queue list\n',
    });
    const [left, right] = await Promise.all([
      world.worker('left', { env: asker }),
      world.worker('right', { env: asker }),
    ]);
    for (let answered = 0; answered < 4; answered += 1) {
      await expect.poll(async () => (await world.human('questions')).out).toContain('Which colour?');
      const [{ id } = { id: '' }] = JSON.parse((await world.human('questions', '--json')).out) as {
        id: string;
      }[];
      expect(await world.human('answer', id, 'blue')).toMatchObject({ code: 0 });
    }
    await expect
      .poll(async () => (await world.human('queue', 'list')).out)
      .toBe('No sprint is in the queue\n');
    left.kill('SIGTERM');
    right.kill('SIGTERM');
    expect(await left.ended).toMatchObject({ code: 0 });
    expect(await right.ended).toMatchObject({ code: 0 });

    const events = await world.events();
    expect(new Set(takers(events))).toEqual(new Set(['left', 'right']));
    expect(typesOf(events, 'job.taken', 'sprint.completed', 'job.ended').toSorted()).toEqual(
      ['one', 'two', 'three']
        .flatMap((sprint) => [`job.ended ${sprint}`, `job.taken ${sprint}`, `sprint.completed ${sprint}`])
        .toSorted(),
    );
    for (const sprint of Object.keys(sprints))
      expect(world.origin('show', `clifford-sprints/${sprint}:received.jsonl`)).toContain('blue');
    await expectVerified(world);
  });

  it('a worker that is killed in the middle of an attempt is followed by another, and the attempt counts once', async () => {
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env: agent('hang-first') });
    await first.printed(/ready \d+/);
    const second = await world.worker('second', { env: agent('hang-first') });
    first.kill('SIGKILL');
    await second.printed(/one over: completed/);
    const events = await world.events();
    expect(takers(events)).toEqual(['first', 'second']);
    expect(typesOf(events, 'task.started', 'agent.lost', 'task.completed')).toEqual([
      'task.started one/a',
      'agent.lost one/a',
      'task.started one/a',
      'task.completed one/a',
    ]);
    await expectVerified(world);
  });

  it('a worker that stood still finds that another one has its sprint, and records nothing more', async () => {
    const { env, begun, go, folders } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'], two: ['z'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('a');
    const second = await world.worker('second', { env });
    process.kill(first.pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(first.pid, 'SIGCONT'));
    await second.printed(/one taken/);
    await second.printed(/task\.started/);
    process.kill(first.pid, 'SIGCONT');
    await first.printed(/one taken over/);
    await go('a');
    await second.printed(/one over: completed/);
    const events = await world.events();
    expect(takers(events)).toEqual(['first', 'second']);
    expect(typesOf(events, 'task.completed', 'job.ended', 'job.returned')).toEqual([
      'task.completed one/a',
      'job.ended one',
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const last = (await folders('a')).at(-1);
    expect(last).toBe(join(second.folder, 'checkouts/one'));
    expect(world.origin('show', 'clifford-sprints/one:a.txt')).toContain('by ');
    // It looks for other work.
    second.kill('SIGTERM');
    await second.ended;
    await go('z');
    await world.human('queue', 'add', 'two');
    await first.printed(/two over: completed/);
    await expectVerified(world);
  });

  it('at the first SIGTERM the task under way is finished, and the next worker goes on with the one after it', async () => {
    const { env, begun, go, folders } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a', 'b'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('a');
    first.kill('SIGTERM');
    await first.warned(/leaves when the tasks under way have ended/);
    await go('a');
    expect(await first.ended).toMatchObject({ code: 0 });
    const second = await world.worker('second', { env });
    await begun('b');
    await go('b');
    await second.printed(/one over: completed/);
    expect(await folders('a')).toEqual([join(first.folder, 'checkouts/one')]);
    expect(await folders('b')).toEqual([join(second.folder, 'checkouts/one')]);
    expect(typesOf(await world.events(), 'job.returned', 'agent.lost', 'task.completed')).toEqual([
      'task.completed one/a',
      'job.returned one',
      'task.completed one/b',
    ]);
    expect(world.origin('ls-tree', '--name-only', 'clifford-sprints/one')).toMatch(/^a\.txt\nb\.txt$/m);
    await expectVerified(world);
  });

  it('at the first SIGTERM an agent that waits for a human is ended, and the answer starts it elsewhere', async () => {
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env: asker });
    await expect.poll(async () => (await world.human('questions')).out).toContain('Which colour?');
    first.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
    expect((await world.human('answer', 'last', 'blue')).code).toBe(0);
    const second = await world.worker('second', { env: asker });
    await second.printed(/one over: completed/);
    expect(typesOf(await world.events(), 'help.requested', 'help.answered')).toHaveLength(2);
    expect(world.origin('show', 'clifford-sprints/one:received.jsonl')).toContain('blue');
  });

  it('at the second SIGTERM the agent is ended, and its attempt counts for nothing', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('a');
    first.kill('SIGTERM');
    await first.warned(/once more: at once/);
    first.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
    await go('a');
    const second = await world.worker('second', { env });
    await second.printed(/one over: completed/);
    expect(typesOf(await world.events(), 'task.failed', 'task.retried', 'job.returned')).toEqual([
      'job.returned one',
    ]);
  });

  it('a sprint that is taken out of the queue is left by its worker, and can be added again', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const worker = await world.worker('only', { env });
    await begun('a');
    expect((await world.human('queue', 'list')).out).toMatch(
      /^one {2}worker only\/\S+, \d+ s, last event \d+ s ago {2}added by ada\n$/,
    );
    expect((await world.human('run', 'one', '--plain')).err).toContain('worker only/');
    expect((await world.human('queue', 'move', 'one', 'first')).err).toContain('worker only/');
    const cancelled = await world.human('queue', 'cancel', 'one');
    expect(cancelled.out).toContain('took one out of the queue, and from worker only/');
    await worker.printed(/one over: it was taken out of the queue/);
    const left = { sprint: 'one', outcome: 'cancelled', by: 'ada', at: expect.any(String) };
    expect(JSON.parse((await world.human('queue', 'list', '--json')).out)).toEqual({
      jobs: [],
      left: [left],
    });
    expect((await world.human('queue', 'list')).out).toMatch(
      /^No sprint is in the queue\none left the queue .{1,9} ago: cancelled by ada\n {2}To have it run: clifford queue add one\n$/,
    );
    expect((await world.human('status')).out).toMatch(
      /left the queue at .* \(cancelled by ada\): clifford queue add one/,
    );
    await go('a');
    await world.human('queue', 'add', 'one');
    expect((await world.human('queue', 'list')).out).not.toContain('left the queue');
    await worker.printed(/one over: completed/);
  });

  it('a sprint that waits is taken out by somebody: the log says who, and the queue until it is added again', async () => {
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    expect((await world.human('queue', 'cancel', 'one')).out).toBe('took one out of the queue\n');
    expect((await world.human('queue', 'list')).out).toContain(
      'one left the queue 0 s ago: cancelled by ada\n',
    );
    expect((await world.human('queue', 'cancel', 'one')).err).toContain(
      'Cannot find sprint one in the queue',
    );
    await world.human('queue', 'add', 'one');
    expect((await world.human('status')).out).not.toContain('left the queue');
    const ofJob = (await world.events()).filter(({ type }) => type.startsWith('job.'));
    expect(ofJob.map(({ type, data }) => [type, data])).toEqual([
      ['job.added', { by: 'ada' }],
      ['job.cancelled', { by: 'ada' }],
      ['job.added', { by: 'ada' }],
    ]);
  });

  it('a run of a worker is watched and stopped from elsewhere as any other', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const worker = await world.worker('only', { env });
    await begun('a');
    expect((await world.human('status')).out).not.toContain('no runner at work');
    expect(await world.human('stop', 'one')).toMatchObject({ code: 0 });
    await worker.printed(/one over: ada stopped it/);
    expect((await world.human('status')).out).toContain('no runner at work');
    expect((await world.human('queue', 'list')).out).toBe('No sprint is in the queue\n');
    await go('a');
    await world.human('queue', 'add', 'one');
    await worker.printed(/one over: completed/);
    const events = await world.events();
    expect(typesOf(events, 'task.failed', 'agent.lost', 'job.ended')).toEqual([
      'job.ended one',
      'job.ended one',
    ]);
  });

  it('a run that was started by hand keeps its sprint out of the queue until it has left', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    const run = startClifford(['run', 'one', '--plain'], { cwd: world.desk, env });
    await begun('a');
    expect(await world.human('queue', 'add', 'one')).toMatchObject({
      code: 2,
      err: expect.stringContaining('a run in this folder has it'),
    });
    await world.human('stop', 'one');
    expect((await run.ended).out).toMatch(/one stopped, .* stopped it/);
    await world.human('queue', 'add', 'one');
    const worker = await world.worker('only', { env });
    await go('a');
    await worker.printed(/one over: completed/);
    expect(typesOf(await world.events(), 'task.completed', 'task.failed')).toEqual(['task.completed one/a']);
  });

  it('a sprint with which too many workers are lost leaves the queue, and says so', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] }, losses: 1 });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await begun('a');
    first.kill('SIGKILL');
    const second = await world.worker('second', { env });
    await second.printed(/one exhausted/);
    // Nobody has ended the agent of the first one.
    await go('a');
    second.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
    const [ended] = (await world.events()).filter(({ type }) => type === 'job.ended');
    expect(ended?.data).toMatchObject({
      outcome: 'exhausted',
      reason: expect.stringMatching(/^1 worker in a row were lost with it, the last one first\//),
    });
    expect((await world.human('queue', 'list')).out).toMatch(
      /^No sprint is in the queue\none left the queue .*: exhausted, says worker second/,
    );
  });

  it('a worker is told that another machine has one which is called the same', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('twin', { env });
    await begun('a');
    const other = await world.worker('twin', { env, machine: 'another' });
    await other.warned(
      /another machine has a worker that is called twin, twin\/\w+: give each its own --name/,
    );
    const beside = await world.worker('twin', { env });
    await beside.printed(/waits for a sprint/);
    await go('a');
    await first.printed(/one over: completed/);
    beside.kill('SIGTERM');
    expect((await beside.ended).err).not.toContain('another machine');
  });

  it.skipIf(!hasNamespaces)('a machine is the same once it was started anew', async () => {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const first = await world.worker('build', { env });
    await begun('a');
    const bootFile = join(await tempRoot(), 'boot');
    await writeFile(bootFile, 'another boot');
    const anew = await world.worker('build', { env, by: anotherBoot(bootFile) });
    await anew.printed(/waits for a sprint/);
    await go('a');
    await first.printed(/one over: completed/);
    anew.kill('SIGTERM');
    expect((await anew.ended).err).not.toContain('another machine');
  });

  it('a sprint goes to a worker that has what it needs', async () => {
    const { env, go, folders } = await signalFolder();
    const needs = { tasks: ['a'], manifest: { needs: ['gpu'] } };
    const world = await workerWorld(server.address, { sprints: { one: needs, two: ['b'] } });
    await Promise.all(['a', 'b'].map(go));
    await world.human('queue', 'add', 'one');
    await world.human('queue', 'add', 'two', '--needs', 'macos');
    const plain = await world.worker('plain', { env, args: ['--once'] });
    expect(await plain.ended).toMatchObject({ code: 0 });
    const gpu = await world.worker('gpu', { env, args: ['--labels', 'linux,gpu'] });
    const mac = await world.worker('mac', { env, args: ['--labels', 'macos'] });
    await Promise.all([gpu.printed(/one over: completed/), mac.printed(/two over: completed/)]);
    expect(await folders('a')).toEqual([join(gpu.folder, 'checkouts/one')]);
    expect(await folders('b')).toEqual([join(mac.folder, 'checkouts/two')]);
  });

  it('what cannot be run leaves the queue with the reason', async () => {
    const world = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await world.human('queue', 'add', 'one');
    const worker = await world.worker('only', {
      args: ['--once'],
      env: { CLIFFORD_AGENT_CMD: 'no-such-agent' },
    });
    expect(await worker.ended).toMatchObject({ code: 1 });
    const [ended] = (await world.events()).filter(({ type }) => type === 'job.ended');
    expect(ended?.data).toMatchObject({
      outcome: 'unusable',
      reason: expect.stringContaining('no-such-agent'),
    });
  });
});

it('docs/scale-out.md has the scripts of these tests', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/scale-out.md'), 'utf8');
  for (const [name, text] of Object.entries(repositoryScripts)) expect(page).toContain(`# ${name}\n${text}`);
});
