import { cp, glob, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import { CastTail } from '../../src/workflow/transcripts/cast-tail.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { startClifford } from '../helpers/clifford-process.ts';
import type { CliffordProcess } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { ownLogEnv } from '../helpers/log-env.ts';
import { killAll, processesOf } from '../helpers/project-processes.ts';
import { seededRandom } from '../helpers/random.ts';
import { eventsOf } from '../mcp/support/project-log.ts';
import { expectVerified, type KilledProject } from './killed-run.ts';

const dist = join(import.meta.dirname, '../../dist');
const bundled = join(import.meta.dirname, '../../demo/project');
const agentCmd = `'${process.execPath}' '${join(dist, 'demo-agent.js')}'`;

/** A demo under way, with a human who answers each question once, at once. */
type Demo = KilledProject & { human: Project; answered: Map<string, string>; close: () => Promise<void> };

async function startDemo(): Promise<Demo> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-kills-')));
  await cp(bundled, root, { recursive: true });
  await mkdir(join(root, '.clifford'));
  const env = ownLogEnv();
  const human = await openProject({ root, source: '/clifford/web', env });
  const answered = new Map<string, string>();
  const asked = new Set<string>();
  const answering: Promise<unknown>[] = [];
  human.subscribe((_events, state) => {
    for (const { id } of openRequests(state)) {
      if (asked.has(id)) continue;
      asked.add(id);
      const response = `French, please (${id})`;
      answering.push(
        answerRequest(human, id, { by: 'human', via: 'test', response }).then(({ accepted }) => {
          if (accepted) answered.set(id, response);
        }),
      );
    }
  });
  const close = async () => {
    await Promise.all(answering);
    await human.close();
    await rm(root, { recursive: true, force: true });
  };
  return { root, env, human, answered, close };
}

const isDone = ({ human }: Demo) =>
  nameOf(human.state.streams.get('demo')?.machine.value ?? 'missing') === 'done.completed';

const run = ({ root, env }: Demo): CliffordProcess =>
  startClifford(['run', 'demo', '--agent-cmd', agentCmd, '--plain'], {
    cwd: root,
    env: { ...env, CLIFFORD_PROJECT_ROOT: root, CLIFFORD_DEMO_PACE_MS: '15' },
  });

/** Kills the MCP servers at work in this project. */
const killServers = async (root: string): Promise<number> => killAll(await processesOf(root, 'mcp-entry.js'));

/** What was told to somebody has to be in the log: to the human, to the agents, on the runner's screen. */
async function expectNothingLost(demo: Demo, printed: string): Promise<void> {
  const { root, human, answered } = demo;
  await expectVerified(demo);
  const events = await eventsOf(human);
  for (const [id, response] of answered) {
    const answers = events.filter((event) => event.type === 'help.answered' && event.data.requestId === id);
    expect(answers.map((event) => event.type === 'help.answered' && event.data.response)).toEqual([response]);
  }
  const questions = events.filter((event) => event.type === 'help.requested');
  expect(questions.length, 'the human is asked once').toBeLessThanOrEqual(1);
  const completed = new Set(
    events.flatMap((event) => (event.type === 'task.completed' ? [event.data.runId] : [])),
  );
  expect(await runsThatSaidDone(root)).toSatisfy((runs: string[]) => runs.every((run) => completed.has(run)));
  for (const [, type] of printed.matchAll(/^\d\d:\d\d:\d\d \S+ ([a-z]+\.[a-z]+)\b/gm)) {
    expect(events.map((event) => event.type)).toContain(type);
  }
}

/** The runs whose agent was told that its task is completed. */
async function runsThatSaidDone(root: string): Promise<string[]> {
  const runs: string[] = [];
  for await (const file of glob(join(root, '.clifford', 'transcripts', '*.cast'))) {
    if (/^Done\.$/m.test(new CastTail(file, Infinity).read())) runs.push(basename(file, '.cast'));
  }
  return runs;
}

async function finish(demo: Demo): Promise<void> {
  const { code, out, err } = await run(demo).ended;
  expect({ code, text: code === 0 ? '' : out + err }).toEqual({ code: 0, text: '' });
  await demo.human.refresh();
  expect(isDone(demo)).toBe(true);
  await expectNothingLost(demo, out);
  expect(demo.answered.size).toBe(1);
  expect(await readFile(join(demo.root, 'src', 'hello.mjs'), 'utf8')).toContain('french');
}

describeOnEachEngine('a demo that is killed', () => {
  it('a demo whose runner and servers are killed at random instants loses nothing, and is finished by the next run', async () => {
    const kills = faultRuns(100);
    const random = seededRandom(faultSeed());
    const hits = { runner: 0, server: 0, both: 0 };
    let killed = 0;
    let demos = 0;
    let demo: Demo | undefined;
    onTestFinished(async () => demo?.close());

    while (killed < kills) {
      demo ??= await startDemo();
      const process = run(demo);
      const victim = (['runner', 'server', 'both'] as const)[Math.floor(random() * 3)] ?? 'both';
      await Promise.race([pause(random() * 2_500), process.ended]);
      const servers = victim === 'runner' ? 0 : await killServers(demo.root);
      const runner = victim !== 'server' && process.isAlive();
      if (runner) process.kill('SIGKILL');
      if (servers > 0 || runner) {
        killed += 1;
        hits[victim] += 1;
      }
      const { out } = await process.ended;
      await demo.human.refresh();
      await expectNothingLost(demo, out);
      if (isDone(demo)) {
        demos += 1;
        await finish(demo);
        await demo.close();
        demo = undefined;
      }
    }
    if (demo) {
      await finish(demo);
      demos += 1;
    }
    console.log(`demo kills: ${killed} (${JSON.stringify(hits)}) over ${demos} demos`);
  });
});
