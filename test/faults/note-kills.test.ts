import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import { sendNote } from '../../src/workflow/notes/send-note.ts';
import { openProject, type Project } from '../../src/workflow/project/project.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { ownLogEnv } from '../helpers/log-env.ts';
import { killAll, processesOf } from '../helpers/project-processes.ts';
import { seededRandom } from '../helpers/random.ts';
import { agentCmd, eventsOf } from '../helpers/sprint-run.ts';
import { writeSprint } from '../helpers/temp-project.ts';
import { briefLog, expectVerified, startKilled, within, type KilledRun } from './killed-run.ts';

/** Sprints under way at once. */
const LANES = 2;
/** Kills, each with a note that is open, in one sprint. */
const KILLS = 3;
const stream = 'demo';

const victims = ['runner', 'agent', 'everything'] as const;

/** An agent that works until it may complete its task, and is refused that as long as it has not heard all. */
async function makeProject(isSteerable: boolean): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-notes-')));
  await mkdir(join(root, '.clifford'));
  const sprintDir = await writeSprint(root, { id: stream, tasks: ['a'] });
  const complete = { tool: 'update_task_status', args: { sprintDir, taskId: 'a', status: 'completed' } };
  const steps = [...(isSteerable ? [{ steerable: 'slow' }] : []), { awaits: 'go' }];
  // Each kill may come in one of them.
  const tries = Array.from({ length: KILLS + 3 }, () => complete);
  await writeFile(join(root, 'acp-steps.json'), JSON.stringify([...steps, ...tries]));
  const agents = { fake: { command: agentCmd('acp-agent'), via: 'acp' } };
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ agent: 'fake', agents, maxAttempts: 50 }));
  return root;
}

async function kill(victim: (typeof victims)[number], root: string, run: KilledRun): Promise<void> {
  if (victim !== 'runner') killAll(await processesOf(root, victim === 'agent' ? 'acp-agent.mjs' : ''));
  if (victim === 'agent') return;
  run.kill('SIGKILL');
  await run.ended;
}

const isDone = ({ state }: Project) =>
  nameOf(state.streams.get(stream)?.machine.value ?? '') === 'done.completed';

/** All that the agent was told, in whatever way. */
async function toldIn(root: string): Promise<string> {
  const files = ['acp-prompts.jsonl', 'acp-steers.jsonl', 'acp-results.jsonl'];
  const texts = files.map((name) => readFile(join(root, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}

/**
 * Each note is delivered once, in the order in which they were sent; the agent that completed the task has read those that were
 * delivered to it. Only what was being told when something was killed is told again.
 */
async function expectTold(project: Project, notes: ReadonlyMap<string, string>): Promise<void> {
  const events = await eventsOf(project, stream);
  const delivered = events.flatMap((event) => (event.type === 'note.delivered' ? [event.data] : []));
  expect(delivered.map(({ noteId }) => noteId)).toEqual([...notes.keys()]);
  const last = events.findLast((event) => event.type === 'agent.started')?.data;
  const told = await toldIn(project.root);
  for (const { noteId, to, way } of delivered) {
    const taken = events.filter((event) => event.type === 'note.taken' && event.data.noteId === noteId);
    const times = told.split(notes.get(noteId) ?? noteId).length - 1;
    expect(times, `${noteId}, said ${way}`).toBeLessThanOrEqual(taken.length);
    if (last && to === last.runId) expect(times, `${noteId}, said ${way}`).toBeGreaterThan(0);
    const kills = events.filter(({ type }) => type === 'agent.exited' || type === 'agent.lost');
    const returned = events.filter((event) => event.type === 'note.returned' && event.data.noteId === noteId);
    expect(taken.length, `${noteId}, taken`).toBeLessThanOrEqual(1 + kills.length + returned.length);
  }
}

/** A sprint in which something is killed a few times around the instant at which a note is told. */
async function expectHeard(random: () => number): Promise<void> {
  const isSteerable = random() < 0.7;
  const root = await makeProject(isSteerable);
  const env = ownLogEnv();
  const project = await openProject({ root, source: '/clifford/web', env });
  const start = () => startKilled(['run', stream], { root, env, onScreen: false });
  const notes = new Map<string, string>();
  let run = start();
  try {
    for (let kills = 0; kills < KILLS; kills += 1) {
      await within('the agent is at work', () =>
        project.until((state) => {
          const agent = state.streams.get(stream)?.tasks.get('a')?.agent;
          return agent && !agent.end ? agent : undefined;
        }),
      );
      const text = `Note ${kills} of them.`;
      const { id } = await sendNote(project, { stream, taskId: 'a', text, by: 'ann', via: 'test' });
      notes.set(id, text);
      if (kills === KILLS - 1) await writeFile(join(root, 'go'), '');
      if (isSteerable)
        await within('the note is told', () =>
          project.until((state) => {
            const told = state.streams.get(stream)?.tasks.get('a')?.notes.at(-1);
            return told?.taken ?? told?.delivered;
          }),
        );
      await pause(random() * 600);
      const victim = victims[Math.floor(random() * victims.length)] ?? 'runner';
      await kill(victim, root, run);
      if (victim !== 'agent') run = start();
    }
    await within('the sprint is done', () => project.until(() => isDone(project) || undefined));
    expect(await within('the runner has ended', () => run.ended)).toMatch(/^0\n/);
    await project.refresh();
    await expectVerified({ root, env });
    await expectTold(project, notes);
    expect(await processesOf(root, '')).toEqual([]);
  } catch (cause) {
    const log = await briefLog(project);
    throw new Error(`${log}\n${await toldIn(root)}\n${String(cause)}`, { cause });
  } finally {
    run.kill('SIGKILL');
    killAll(await processesOf(root, ''));
    await project.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

describeOnEachEngine('what is killed while a note is told', () => {
  it('whatever is killed while a note is told, its agent hears it before the task is done', async () => {
    let left = Math.ceil(faultRuns(6) / KILLS);
    const lane = async (_none: unknown, number: number): Promise<void> => {
      const random = seededRandom(faultSeed() + number);
      while (left > 0) {
        left -= 1;
        await expectHeard(random);
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane));
    const failed = lanes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  });
});
