import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { unservedText } from '../../src/cli/queue/unserved.ts';
import { newEvent } from '../../src/events/envelope.ts';
import { openJetStreamQueue } from '../../src/events/jetstream/queue/jetstream-queue.ts';
import { natsPlace, openNatsLog } from '../events/jetstream/temp-log.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { fact } from '../helpers/facts.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

const DAY_MS = 24 * 3_600_000;

describeWithNats('what left the queue', (server) => {
  it('is listed for a week, on a terminal with as much of its reason as a line has room for', async () => {
    const place = natsPlace(server);
    const log = await openNatsLog(place);
    const reason = `Cannot run it: ${'because '.repeat(40)}END`;
    const leave = async (stream: string, agoMs: number) => {
      const now = new Date(Date.now() - agoMs);
      const facts = [
        fact('sprint.created', {}),
        fact('job.taken', { worker: 'w' }),
        fact('job.ended', { worker: 'w', outcome: 'unusable', reason }),
      ].map((each) => newEvent('/clifford/runner', { ...each, subject: stream }, { now }));
      await log.append(stream, facts, { expectedVersion: 0 });
    };
    await leave('old', 8 * DAY_MS);
    await leave('recent', 2 * DAY_MS);
    const root = await tempRoot();
    const args = ['queue', 'list', '--log', place.options.name];
    const screen = openClifford(args, { cwd: root, columns: 100, rows: 20 });
    expect(await screen.exited).toBe(0);
    const lines = screen.lines().filter((line) => line !== '');
    expect(lines.slice(0, 3)).toEqual([
      'No sprint is in the queue',
      expect.stringMatching(/^recent left the queue 2 d ago: unusable, says worker w: Cannot run it: .*…$/),
      '  When that is mended: clifford queue add recent',
    ]);
    const { left } = JSON.parse((await clifford([...args, '--json'], { cwd: root })).out);
    expect(left).toEqual([expect.objectContaining({ sprint: 'recent', reason })]);
  });
});

it('what a job needs is of whoever has put it into the queue, and colours nothing', () => {
  const text = unservedText(['gpu', '\u001B[31mmacos\u001B[0m']);
  expect(text).toMatch(/^no worker .* \(needs gpu, .*macos.*\)$/);
  expect(text).not.toContain('\u001B');
});

describeWithNats('a sprint that no worker could take', (server) => {
  it('is told of by the list and by status, until one is there that has what it needs', async () => {
    const place = natsPlace(server);
    const root = await tempRoot();
    await writeSprint(root);
    const run = async (...args: string[]) =>
      (await clifford([...args, '--log', place.options.name], { cwd: root })).out;
    await run('queue', 'add', '--needs', 'gpu,macos');
    const said = 'no worker is there that could take it (needs gpu, macos)';
    const queue = await openJetStreamQueue({ ...place.options, replicas: 1, deadlineMs: 30_000 });
    onTestFinished(() => queue.close());
    const depart = queue.attend(['gpu']);
    expect(await run('queue', 'list')).toContain(`\n  ${said}\n`);
    expect(await run('status')).toMatch(/ waits in the queue for a worker since [\d:]+, no worker is there /);
    expect(await run('queue', 'list', '--json')).toContain('"lacksWorker":true');
    depart();
    queue.attend(['gpu', 'macos']);
    expect(await run('queue', 'list', '--json')).toContain('"lacksWorker":false');
    for (const command of [['queue', 'list'], ['status']])
      expect(await run(...command)).not.toContain('no worker is there');
  });
});

describeWithNats('a sprint that no worker can run', (server) => {
  it('is not added: the exit code of an agent alone would complete a task', async () => {
    const root = await tempRoot();
    const tasks = [{ id: 'a', file: 'a.md', status: 'pending', done: 'exit-0' }];
    await writeSprint(root, { tasks: ['a'], manifest: { tasks } });
    const log = ['--log', natsPlace(server).options.name];
    expect(await clifford(['queue', 'add', 'demo', ...log], { cwd: root })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Cannot run task a: "done" is exit-0 for it, and it has no "verify"'),
    });
    expect((await clifford(['queue', 'list', ...log], { cwd: root })).out).toBe(
      'No sprint is in the queue\n',
    );
  });

  it('is not added: the file of a task is missing, which no other task may write before', async () => {
    const root = await tempRoot();
    const dir = await writeSprint(root, {
      tasks: ['a', 'b'],
      manifest: {
        tasks: [
          { id: 'a', file: 'a.md', status: 'pending' },
          { id: 'b', file: 'b.md', status: 'pending', dependsOn: ['a'] },
        ],
      },
    });
    const add = () =>
      clifford(['queue', 'add', 'demo', '--log', natsPlace(server).options.name], { cwd: root });
    await Promise.all(['a.md', 'b.md'].map((file) => rm(join(dir, file))));
    expect(await add()).toMatchObject({
      code: 2,
      err: expect.stringContaining('Cannot run task a: its file sprints/demo/a.md is missing'),
    });
    await writeFile(join(dir, 'a.md'), '# Write b.md\n');
    expect(await add()).toMatchObject({ code: 0 });
  });
});

describeWithNats('a log on a server without events', (server) => {
  it('is said to have none, as one under another name would have', async () => {
    const place = natsPlace(server);
    const root = await tempRoot();
    await writeSprint(root);
    const looks = [['status'], ['questions'], ['queue', 'list']];
    const said = async () =>
      Promise.all(
        looks.map(
          async (args) => (await clifford([...args, '--log', place.options.name], { cwd: root })).err,
        ),
      );
    const note = expect.stringMatching(/^note: there are no events in the log: .* another name\n$/);
    expect(await said()).toEqual([note, note, note]);
    await clifford(['queue', 'add', 'demo', '--log', place.options.name], { cwd: root });
    expect(await said()).toEqual(['', '', '']);
  });
});
