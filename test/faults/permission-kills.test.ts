import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { approve, deny } from '../../src/workflow/requests/approval.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { cliFile } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { ownLogEnv } from '../helpers/log-env.ts';
import { killAll, processesOf } from '../helpers/project-processes.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { seededRandom } from '../helpers/random.ts';
import { agentCmd } from '../helpers/sprint-run.ts';
import { writeSprint } from '../helpers/temp-project.ts';
import { briefLog, startKilled, within } from './killed-run.ts';
import type { KilledProject, KilledRun } from './killed-run.ts';
import { command, proveCalls } from './permission-proof.ts';

/** Sprints under way at once. */
const LANES = 4;
/** Kills in one sprint. */
const KILLS = 4;
/** From when on a screen takes a yes, in ms after it was painted. */
const ARMED_MS = 700;
const stream = 'demo';
const human = { by: 'ann', via: 'test' };

const victims = ['runner', 'hang-up', 'agent', 'screen', 'everything'] as const;
type Victim = (typeof victims)[number];

/** The calls of the sprint. The human denies the third; the last is made twice at once. */
const calls = ['one', 'other', 'never', 'twice'] as const;
const [one, other, never, twice] = calls.map((name) => ({ run: command(name) }));
const steps = [{ atOnce: [one, other] }, never, { atOnce: [twice, twice] }];

/**
 * How many there were: kills, by what was killed; those among them that found a prompt open, the others came just after its
 * answer; calls that were asked about again since their yes was used up; yeses whose call was killed before it ran; yeses of
 * a screen that was killed then.
 */
type Tally = Record<Victim | 'open' | 'askedAgain' | 'usedByNobody' | 'answeredOnScreen', number>;

/** @param parkAfter - In minutes. */
async function makeProject(parkAfter: number): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-permissions-')));
  await mkdir(join(root, '.clifford'));
  const sprintDir = await writeSprint(root, { id: stream, tasks: ['a'] });
  const complete = { tool: 'update_task_status', args: { sprintDir, taskId: 'a', status: 'completed' } };
  await writeFile(join(root, 'acp-steps.json'), JSON.stringify([...steps, complete]));
  const agents = { fake: { command: agentCmd('acp-agent'), via: 'acp', parkAfter } };
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ agent: 'fake', agents, maxAttempts: 50 }));
  return root;
}

/** A human who answers each prompt once, sooner or later, unless somebody else does. */
class Human {
  readonly #project: Project;
  readonly #random: () => number;
  readonly #seen = new Set<string>();
  readonly #answers: Promise<unknown>[] = [];
  /** While it is set, nothing is answered. */
  #held: Promise<void> | undefined;

  constructor(project: Project, random: () => number) {
    this.#project = project;
    this.#random = random;
    project.subscribe(() => this.#look());
  }

  async holdWhile(work: () => Promise<void>): Promise<void> {
    this.#held = work();
    await this.#held.finally(() => (this.#held = undefined));
  }

  async done(): Promise<void> {
    await Promise.all(this.#answers);
  }

  #look(): void {
    for (const { id, asked } of openRequests(this.#project.state)) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      const isDenied = JSON.stringify(asked.approval?.args).includes('never');
      this.#answers.push(this.#answer(id, isDenied));
    }
  }

  async #answer(id: string, isDenied: boolean): Promise<void> {
    // At once, around the kill, or once the runner is back.
    const longest = [20, 300, 2_000][Math.floor(this.#random() * 3)] ?? 0;
    await pause(this.#random() * longest);
    await this.#held?.catch(() => undefined);
    if (isDenied) await deny(this.#project, id, { ...human, reason: 'not this one' });
    else await approve(this.#project, id, { ...human, scope: 'once' });
  }
}

/** Says yes on another screen of the sprint, and kills it around that. */
async function killAnsweringScreen({ root, env }: KilledProject, random: () => number): Promise<void> {
  const all = { CLIFFORD_PROJECT_ROOT: root, USER: 'bob', ...env };
  const set = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const screen = openPty('/usr/bin/env', ['-u', 'CI', ...set, process.execPath, cliFile, 'attach', stream], {
    cwd: root,
  });
  try {
    // What somebody was answering may have been the last.
    await screen.see(/Y allow once|The sprint is done/);
    // It takes no keys that were typed before the call could be read.
    await pause(ARMED_MS + random() * 200);
    screen.press('y');
    // Before the answer, and after it, also where others keep the machine busy.
    await pause(random() ** 2 * 1_000);
  } finally {
    screen.kill();
    await screen.exited;
  }
}

/** @returns whether the runner is to be started again. */
async function killVictim(victim: Victim, root: string, run: KilledRun): Promise<boolean> {
  if (victim === 'agent') {
    killAll(await processesOf(root, 'acp-agent.mjs'));
    return false;
  }
  if (victim === 'everything') killAll(await processesOf(root, ''));
  run.kill(victim === 'hang-up' ? 'SIGHUP' : 'SIGKILL');
  await run.ended;
  return true;
}

const isDone = ({ state }: Project) =>
  nameOf(state.streams.get(stream)?.machine.value ?? '') === 'done.completed';

async function expectProof(project: Project, env: KilledProject['env'], tally: Tally): Promise<void> {
  const counts = [...(await proveCalls(project, stream, { names: calls, env }))];
  const missing = counts.filter(([, { ran, denied }]) => ran === 0 && denied === 0);
  expect(missing, 'these were allowed, and did not run').toEqual([]);
  for (const [name, { asked, notRun, onScreen }] of counts) {
    tally.askedAgain += asked - (name === 'twice' ? 2 : 1);
    tally.usedByNobody += notRun;
    tally.answeredOnScreen += onScreen;
  }
}

/** A sprint in which something is killed a few times while a prompt is open, or has just been answered. */
async function expectSurvival(random: () => number, tally: Tally): Promise<void> {
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  // In every other sprint an agent that waits for longer than most answers take is parked, so that kills meet that, too.
  const root = await makeProject(random() < 0.5 ? 0.004 : 0);
  const env = ownLogEnv();
  const project = await openProject({ root, source: '/clifford/web', env });
  const ann = new Human(project, random);
  const start = () => startKilled(['run', stream], { root, env, onScreen: random() < 0.4 });
  let run = start();
  const done: Victim[] = [];
  try {
    while (done.length < KILLS) {
      const isOpen = await within('a prompt is open, or the sprint done', () =>
        project.until((state) =>
          openRequests(state).length > 0 ? 'open' : isDone(project) ? 'done' : undefined,
        ),
      );
      if (isOpen === 'done') break;
      const victim = pick(victims);
      done.push(victim);
      if (victim === 'screen') {
        await ann.holdWhile(() => killAnsweringScreen({ root, env }, random));
        tally.open += 1;
        continue;
      }
      await pause(random() * 250);
      await project.refresh();
      if (openRequests(project.state).length > 0) tally.open += 1;
      if (await killVictim(victim, root, run)) run = start();
    }
    await within('the sprint is done', () => project.until(() => isDone(project) || undefined));
    expect(await within('the runner has ended', () => run.ended)).toMatch(/^0\n/);
    await ann.done();
    await project.refresh();
    await expectProof(project, env, tally);
    expect(await processesOf(root, '')).toEqual([]);
  } catch (cause) {
    const log = await briefLog(project);
    throw new Error(`killed: ${done.join(', ')}\n${log}\n${String(cause)}`, { cause });
  } finally {
    run.kill('SIGKILL');
    killAll(await processesOf(root, ''));
    await ann.done().catch(() => undefined);
    await project.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
  for (const victim of done) tally[victim] += 1;
}

describeOnEachEngine('what is killed while a prompt is open', () => {
  it('whatever is killed while a prompt for permission is open, no call runs without a yes of its own, and nobody is asked twice', async () => {
    const runs = faultRuns(12);
    const none = { open: 0, askedAgain: 0, usedByNobody: 0, answeredOnScreen: 0 };
    // Each lane draws its instants by itself; which sprint comes to which lane is the machine's affair.
    const tally: Tally = { runner: 0, 'hang-up': 0, agent: 0, screen: 0, everything: 0, ...none };
    let hasFailed = false;
    const lane = async (_none: unknown, number: number): Promise<void> => {
      const random = seededRandom(faultSeed() + number);
      try {
        while (tally.open < runs && !hasFailed) await expectSurvival(random, tally);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane));
    const failed = lanes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    console.log(`permission kills: ${JSON.stringify(tally)}`);
  });
});
