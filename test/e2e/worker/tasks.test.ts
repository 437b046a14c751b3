import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { workerWorld, type WorkerWorld } from '../../helpers/worker-world.ts';
import { agent, asker, expectVerified, signalFolder, takers, typesOf } from './said-by-workers.ts';

/** A sprint whose tasks depend on nothing. */
const apart = (tasks: readonly string[], parallel: number, manifest: object = {}) => ({
  sprints: { one: { tasks, manifest: { parallel, ...manifest } } },
});

/** Who took which task: `a by right`. */
const helpers = (events: readonly StoredEvent[]) =>
  events.flatMap((event) =>
    event.type === 'offer.taken'
      ? [`${event.subject.replace('one/', '')} by ${event.data.worker.replace(/\/.*/, '')}`]
      : [],
  );

const files = (world: WorkerWorld) => world.origin('ls-tree', '--name-only', 'clifford-sprints/one');

/** How branches of tasks are deleted, as docs/scale-out.md says. */
async function printedCleanUp(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/scale-out.md'), 'utf8');
  const [, line] = /^ *(git ls-remote [^\n]*sprint-8[^\n]*)$/m.exec(page) ?? [];
  if (line === undefined) throw new Error('the page has no such command');
  return line;
}

/** Everything is merged once, in one chain, and no event stands there twice. */
async function expectWhole(world: WorkerWorld, tasks: readonly string[]): Promise<StoredEvent[]> {
  const events = await world.events();
  for (const task of tasks) expect(typesOf(events, 'task.completed')).toContain(`task.completed one/${task}`);
  expect(typesOf(events, 'task.completed')).toHaveLength(tasks.length);
  expect(typesOf(events, 'sprint.completed')).toEqual(['sprint.completed one']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  await expectVerified(world);
  return events;
}

describeWithNats('tasks of one sprint', (server) => {
  it('are worked on by several workers at once, whose work one of them merges; each is named where the sprint is shown', async () => {
    const { env, begun, go, folders } = await signalFolder();
    const world = await workerWorld(server.address, apart(['a', 'b', 'c'], 2));
    await world.human('queue', 'add', 'one');
    const left = await world.worker('left', { env });
    await begun('a');
    const right = await world.worker('right', { env });
    await begun('b');
    const status = (await world.human('status', 'one')).out;
    expect(status).toMatch(/a +active +worker left\/\w+, agent pid/);
    expect(status).toMatch(/b +active +worker right\/\w+, agent pid/);
    expect((await world.human('queue', 'list')).out).toMatch(/one\/b +worker right/);
    await Promise.all(['a', 'b', 'c'].map(go));
    await left.printed(/one over: completed/);
    expect(files(world)).toMatch(/^a\.txt\nb\.txt\nc\.txt$/m);
    const events = await expectWhole(world, ['a', 'b', 'c']);
    expect(takers(events)).toEqual(['left']);
    expect(helpers(events)).toContain('b by right');
    expect((await folders('b'))[0]).toContain(`${right.folder}/task-checkouts/`);
    const cleanUp = await printedCleanUp();
    expect(world.origin('branch', '--list', 'clifford/*')).toContain('clifford/one/b');
    const checkout = { cwd: join(left.folder, 'checkouts/one') };
    execFileSync('sh', ['-c', cleanUp.replaceAll('sprint-8', 'one')], { ...checkout, stdio: 'ignore' });
    expect(world.origin('branch', '--list')).toMatch(/^ *clifford-sprints\/one\n\*? *main$/);
    expect((await world.human('queue', 'list')).out).toBe('No sprint is in the queue\n');
  });

  it('have one budget, whichever worker has them: what one spends ends the sprint for all', async () => {
    const { env, begun } = await signalFolder();
    const world = await workerWorld(server.address, {
      ...apart(['a', 'b', 'c', 'd'], 2),
      config: { budget: { sprint: { tokens: 10 } } },
    });
    await world.human('queue', 'add', 'one');
    const left = await world.worker('left', { env });
    await begun('a');
    const right = await world.worker('right', { env });
    await begun('b');
    const project = await openProject({ root: world.desk, source: '/clifford/runner', env: process.env });
    onTestFinished(() => project.close());
    const spend = (task: string) => {
      const data = { runId: `run-of-${task}`, tokens: { input: 3, output: 2 } };
      return project.record('one', [{ type: 'agent.usage', subject: `one/${task}`, data }]);
    };
    await Promise.all(['a', 'b'].map(spend));
    await right.printed(/one\/b returned: overspent: the sprint has used up its budget/);
    await left.printed(/one over: overspent: .*the sprint has used up its budget: 10 of 10 tokens/);
    const events = await world.events();
    expect(typesOf(events, 'agent.started')).toEqual(['agent.started one/a', 'agent.started one/b']);
    await expectVerified(world);
  });

  it('are taken back by the worker that has the sprint, when it has room and nobody has taken them', async () => {
    const world = await workerWorld(server.address, apart(['a', 'b'], 2));
    await world.human('queue', 'add', 'one');
    const only = await world.worker('only', { env: agent('complete') });
    await only.printed(/one over: completed/);
    const events = await expectWhole(world, ['a', 'b']);
    expect(typesOf(events, 'offer.made', 'offer.taken', 'offer.withdrawn')).toEqual([
      'offer.made one/b',
      'offer.withdrawn one/b',
    ]);
    expect((await world.human('queue', 'list')).out).toBe('No sprint is in the queue\n');
  });

  it('that need what the worker of the sprint has not are done by one that has it, and ask from there', async () => {
    const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md`, status: 'pending' }));
    const manifest = { tasks: tasks.map((task) => (task.id === 'b' ? { ...task, needs: ['gpu'] } : task)) };
    const world = await workerWorld(server.address, apart(['a', 'b'], 1, manifest));
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env: agent('complete') });
    await owner.printed(/offer\.made/);
    const gpu = await world.worker('gpu', { env: asker, args: ['--labels', 'gpu'] });
    await expect.poll(async () => (await world.human('questions')).out).toContain('Which colour?');
    expect((await world.human('answer', 'last', 'blue')).code).toBe(0);
    await owner.printed(/one over: completed/);
    await gpu.printed(/one\/b over/);
    const events = await expectWhole(world, ['a', 'b']);
    expect(helpers(events)).toEqual(['b by gpu']);
    expect(typesOf(events, 'help.requested', 'help.answered')).toHaveLength(2);
    expect(world.origin('show', 'clifford-sprints/one:received.jsonl')).toContain('blue');
  });

  it('whose work cannot be merged are asked about, as on one machine', async () => {
    const world = await workerWorld(server.address, apart(['a', 'b'], 2));
    await world.human('queue', 'add', 'one');
    const [left, right] = await Promise.all([
      world.worker('left', { env: asker }),
      world.worker('right', { env: asker }),
    ]);
    const asked = async () => (await world.human('questions')).out;
    // Both write their answer into one new file.
    for (const task of ['a', 'b']) {
      await expect.poll(asked, { timeout: 60_000 }).toMatch(new RegExp(`one/${task}\\b`));
      const questions = JSON.parse((await world.human('questions', '--json')).out) as {
        id: string;
        task: string;
      }[];
      const id = questions.find((question) => question.task === task)?.id ?? '';
      expect(await world.human('answer', id, `blue for ${task}`)).toMatchObject({ code: 0 });
    }
    await expect.poll(asked, { timeout: 60_000 }).toContain('both have changed received.jsonl');
    expect((await world.human('answer', 'last', 'Give up its changes')).code).toBe(0);
    await Promise.race([left.printed(/one over: completed/), right.printed(/one over: completed/)]);
    expect(world.origin('show', 'clifford-sprints/one:received.jsonl')).toMatch(/blue for [ab]/);
    const events = await world.events();
    expect(typesOf(events, 'task.completed')).toHaveLength(2);
    expect(typesOf(events, 'worktree.merged', 'task.skipped')).toHaveLength(1);
    await expectVerified(world);
  });

  /** A sprint of two tasks, one of which its worker works on, the other `first`; `second` waits for what there is. */
  async function twoAtWork() {
    const { env, begun, go } = await signalFolder();
    const world = await workerWorld(server.address, apart(['a', 'b'], 2));
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env });
    await begun('a');
    const first = await world.worker('first', { env });
    await begun('b');
    return { world, owner, first, second: await world.worker('second', { env }), go };
  }

  it('a worker that is killed in the middle of a task is followed by another one, which begins it again', async () => {
    const { world, owner, first, second, go } = await twoAtWork();
    first.kill('SIGKILL');
    await second.printed(/one\/b taken/);
    await second.printed(/task\.started/);
    await Promise.all(['a', 'b'].map(go));
    await owner.printed(/one over: completed/);
    expect(files(world)).toMatch(/^a\.txt\nb\.txt$/m);
    const events = await expectWhole(world, ['a', 'b']);
    expect(helpers(events)).toEqual(['b by first', 'b by second']);
    expect(typesOf(events, 'agent.lost')).toEqual(['agent.lost one/b']);
    expect(takers(events)).toEqual(['owner']);
  });

  it('what an agent has left on a worker that is killed before it is verified is done again by the next one', async () => {
    const folder = await tempRoot();
    const [go, verifying] = [join(folder, 'go'), join(folder, 'verifying')];
    await writeFile(
      join(folder, 'verify.sh'),
      `[ -e a.txt ] || [ -e b.txt ] || exit 1
      case "$PWD" in */task-checkouts/*) touch ${verifying}-b;; *) touch ${verifying}-a;; esac
      while [ ! -e ${go} ]; do sleep 0.1; done`,
    );
    const manifest = { done: 'exit-0', verify: [`sh ${folder}/verify.sh`] };
    const world = await workerWorld(server.address, apart(['a', 'b'], 2, manifest));
    const comesTo = (task: string) =>
      vi.waitUntil(() => existsSync(`${verifying}-${task}`), { timeout: 60_000 });
    const env = { CLIFFORD_AGENT_CMD: `sh -c 'echo "in $PWD" >"$CLIFFORD_TASK".txt'` };
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env });
    await comesTo('a');
    const first = await world.worker('first', { env });
    await comesTo('b');
    first.kill('SIGKILL');
    await first.ended;
    const second = await world.worker('second', { env });
    // By then it has agreed to the commands: agents have made no commits yet.
    await second.printed(/one\/b (?:task\.started|over)/);
    await writeFile(go, '');
    await owner.printed(/one over: /);
    expect(world.origin('show', 'clifford-sprints/one:b.txt')).toMatch(/^in \S+\/second\//);
    const events = await expectWhole(world, ['a', 'b']);
    const ofB = events.filter(({ subject }) => subject === 'one/b');
    expect(typesOf(ofB, 'agent.exited', 'agent.lost', 'task.started', 'task.retried')).toEqual(
      ['task.started', 'agent.exited', 'agent.lost', 'task.started', 'agent.exited'].map(
        (type) => `${type} one/b`,
      ),
    );
  });

  it('a worker that is killed while it pushes pushes when it is back, and does nothing twice', async () => {
    const { env, begun, go, folders } = await signalFolder();
    const hold = join(await tempRoot(), 'hold');
    await writeFile(hold, '');
    const stuck = `sh -c 'while [ -e "${hold}" ]; do sleep 0.1; done; exit 1'`;
    const world = await workerWorld(server.address, apart(['a', 'b'], 2));
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env });
    await begun('a');
    const first = await world.worker('helper', { env, args: ['--push', stuck] });
    await begun('b');
    await go('b');
    await first.printed(/one\/b task\.committed/);
    first.kill('SIGKILL');
    await first.ended;
    await rm(hold);
    const again = await world.worker('helper', { env });
    await again.printed(/one\/b over/);
    const commit = (await world.events()).find(
      (event) => event.type === 'task.committed' && event.subject === 'one/b',
    );
    expect(commit?.data).toMatchObject({ sha: world.origin('rev-parse', 'clifford/one/b-2') });
    await go('a');
    await owner.printed(/one over: completed/);
    expect(files(world)).toMatch(/^a\.txt\nb\.txt$/m);
    await expectWhole(world, ['a', 'b']);
    expect(await folders('b')).toHaveLength(1);
  });

  it('a worker that stood still finds that another one has its task, and records nothing more', async () => {
    const { world, owner, first, second, go } = await twoAtWork();
    process.kill(first.pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(first.pid, 'SIGCONT'));
    await second.printed(/one\/b taken/);
    await second.printed(/one\/b task\.started/);
    process.kill(first.pid, 'SIGCONT');
    await first.printed(/one\/b taken over/);
    await Promise.all(['a', 'b'].map(go));
    await owner.printed(/one over: completed/);
    const events = await expectWhole(world, ['a', 'b']);
    expect(helpers(events)).toEqual(['b by first', 'b by second']);
    expect(typesOf(events, 'offer.ended', 'offer.returned')).toEqual(['offer.ended one/b']);
  });

  it('go on while the worker that has the sprint is killed: the next one merges what they made', async () => {
    const { env, begun, go, folders } = await signalFolder();
    const world = await workerWorld(server.address, apart(['a', 'b', 'c'], 2));
    await world.human('queue', 'add', 'one');
    const owner = await world.worker('owner', { env });
    await begun('a');
    const helper = await world.worker('helper', { env });
    await begun('b');
    owner.kill('SIGKILL');
    await go('b');
    await helper.printed(/one\/b over/);
    // The agent of the first one is ended by then.
    await helper.printed(/one\/a task\.started/);
    await Promise.all(['a', 'c'].map(go));
    await helper.printed(/one over: completed/);
    expect(files(world)).toMatch(/^a\.txt\nb\.txt\nc\.txt$/m);
    const events = await expectWhole(world, ['a', 'b', 'c']);
    expect(takers(events)).toEqual(['owner', 'helper']);
    expect(await folders('b')).toHaveLength(1);
    expect(typesOf(events, 'agent.lost')).toEqual(['agent.lost one/a']);
  });
});
