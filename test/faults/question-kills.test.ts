import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { nameOf } from '../../src/machines/status-words.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { ownLogEnv } from '../helpers/log-env.ts';
import { killAll, processesOf } from '../helpers/project-processes.ts';
import { seededRandom } from '../helpers/random.ts';
import { briefLog, expectVerified, startKilled, within } from './killed-run.ts';
import type { KilledProject, KilledRun } from './killed-run.ts';

const server = join(import.meta.dirname, '../../dist/mcp-entry.js');
/** Runs under way at once. */
const LANES = 2;

const victims = ['server', 'agent', 'runner', 'screen', 'hang-up', 'everything'] as const;
type Victim = (typeof victims)[number];
/** When a question is answered: around the instant of the kill, or only once the sprint is run again. */
const moments = ['before', 'at once', 'after', 'restarted'] as const;
/** How: straight into the log, or by a response file, written at once or in two halves. */
const ways = ['log', 'log', 'file', 'halves'] as const;

type Plan = {
  readonly victim: Victim;
  readonly moment: (typeof moments)[number];
  readonly way: (typeof ways)[number];
  readonly questions: readonly string[];
  /** Between the questions and the kill, and between the kill and a later answer, in ms. */
  readonly killAfterMs: number;
  readonly answerAfterMs: number;
};

const asker = fixtureProgram('agents/mcp-asker.ts');

function planOf(random: () => number): Plan {
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const way = pick(ways);
  const several = way === 'log' && random() < 0.5;
  return {
    victim: pick(victims),
    moment: pick(moments),
    way,
    questions: several ? ['Which colour?', 'Which size?'] : ['Which colour?'],
    killAfterMs: random() * 120,
    answerAfterMs: random() * 400,
  };
}

async function makeProject(): Promise<KilledProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-questions-')));
  await mkdir(join(root, '.clifford'));
  await mkdir(join(root, 'sprints', 's'), { recursive: true });
  const manifest = { id: 's', name: 'S', status: 'pending', tasks: [{ id: 't', file: 't.md' }] };
  await writeFile(join(root, 'sprints', 's', 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(root, 'sprints', 's', 't.md'), '# Ask\n');
  return { root, env: ownLogEnv() };
}

function start(
  { root, env: log }: KilledProject,
  { questions }: Plan,
  { onScreen }: { onScreen: boolean },
): KilledRun {
  const agentCmd = `'${process.execPath}' '${asker}'`;
  const args = ['run', 's', '--agent-cmd', agentCmd, '--max-attempts', '5'];
  const env = {
    ...log,
    ASKER_SERVER: server,
    ASKER_QUESTIONS: questions.join('|'),
  };
  return startKilled(args, { root, env, onScreen });
}

async function killVictim(victim: Victim, root: string, run: KilledRun): Promise<void> {
  if (victim === 'hang-up') run.kill('SIGHUP');
  if (victim === 'runner' || victim === 'screen' || victim === 'everything') run.kill('SIGKILL');
  // The agent's program and its file as two arguments: the runner has them in one, as its --agent-cmd.
  const agent = `${process.execPath}\0${asker}`;
  const names = { server: ['mcp-entry.js'], agent: [agent], everything: ['mcp-entry.js', agent] };
  if (victim !== 'server' && victim !== 'agent' && victim !== 'everything') return;
  for (const name of names[victim]) killAll(await processesOf(root, name));
}

/** Puts an answer where the plan says. */
async function answer(human: Project, { way }: Plan, requestId: string, response: string): Promise<void> {
  if (way === 'log') {
    await answerRequest(human, requestId, { response, by: 'human', via: 'test' });
    return;
  }
  const file = join(human.dir, 'mcp-response.json');
  const text = JSON.stringify({ response, requestId });
  if (way === 'file') {
    const temporary = join(human.root, 'response.tmp');
    await writeFile(temporary, text);
    await rename(temporary, file);
    return;
  }
  await writeFile(file, text.slice(0, 12));
  // That the halves are apart in time is what is tried here.
  await pause(300);
  // Somebody may have taken away a file that stayed half for too long: then it is written whole.
  await writeFile(file, text);
}

const received = z.object({ question: z.string(), answer: z.string() });

/** One sprint with its kill. Everything that was asked and answered has to come out right. */
async function expectSurvival(plan: Plan): Promise<void> {
  const place = await makeProject();
  const { root, env } = place;
  const human = await openProject({ root, source: '/clifford/web', env });
  const onScreen = plan.victim === 'screen' || plan.victim === 'hang-up';
  const first = start(place, plan, { onScreen });
  try {
    const open = await within('the questions are open', () =>
      human.until((state) => {
        const requests = openRequests(state);
        return requests.length === plan.questions.length ? requests : undefined;
      }),
    );
    const answers = new Map(open.map(({ id, asked }) => [asked.question, `answer to ${id}`]));
    const answerAll = () => Promise.all(open.map(({ id }) => answer(human, plan, id, `answer to ${id}`)));

    await pause(plan.killAfterMs);
    if (plan.moment === 'before') await answerAll();
    const [, ended] = await Promise.all([
      plan.moment === 'at once' ? answerAll() : undefined,
      killVictim(plan.victim, root, first).then(() =>
        plan.victim === 'server' || plan.victim === 'agent' ? undefined : first.ended,
      ),
    ]);
    const again = ended === undefined ? first : start(place, plan, { onScreen: false });
    if (plan.moment === 'after' || plan.moment === 'restarted') {
      if (plan.moment === 'restarted') await pause(plan.answerAfterMs);
      await answerAll();
    }
    const isDone = (state: Project['state']) =>
      nameOf(state.streams.get('s')?.machine.value ?? '') === 'done.completed' || undefined;
    await within('the sprint is done', () => human.until(isDone));
    const end = await within('the runner has ended', () => again.ended);
    expect(end).toMatch(/^0\n/);

    await expectVerified(place);
    const lines = (await readFile(join(root, 'received.jsonl'), 'utf8')).trimEnd().split('\n');
    const got = lines.map((line) => received.parse(JSON.parse(line)));
    for (const { question, answer: text } of got) expect(text).toBe(answers.get(question));
    expect(new Set(got.map(({ question }) => question))).toEqual(new Set(plan.questions));
    const asked = [...(human.state.streams.get('s')?.requests.values() ?? [])];
    expect(asked.map((request) => request.asked.question).toSorted()).toEqual(plan.questions.toSorted());
  } catch (cause) {
    const log = await briefLog(human);
    throw new Error(`${JSON.stringify(plan)}\n${log}\n${String(cause)}`, { cause });
  } finally {
    first.kill('SIGKILL');
    killAll(await processesOf(root, ''));
    await human.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

describeOnEachEngine('what is killed while a question is open', () => {
  it('whatever is killed while a question is open, its answer reaches an agent and nobody is asked twice', async () => {
    const runs = faultRuns(150);
    const hits = Object.fromEntries(victims.map((victim) => [victim, 0]));
    let begun = 0;
    const lane = async (_none: unknown, number: number): Promise<void> => {
      const random = seededRandom(faultSeed() + number);
      while (begun < runs) {
        begun += 1;
        const plan = planOf(random);
        hits[plan.victim] = (hits[plan.victim] ?? 0) + 1;
        await expectSurvival(plan);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    console.log(`question kills: ${begun} (${JSON.stringify(hits)})`);
  });
});
