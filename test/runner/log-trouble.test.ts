import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { logBusy, LogCorruptError, logPoisoned } from '../../src/events/jsonl/log-errors.ts';
import type { EventType } from '../../src/events/catalog.ts';
import type { CliffordError } from '../../src/errors.ts';
import { RetryPolicy } from '../../src/runner/sprint/retry-policy.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { openTestProject } from '../helpers/temp-project.ts';
import { agentCmd, eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';

const busy = logBusy('events.jsonl', 9_000);

/** A project whose log does not take events of which some are refused, by the types that are appended together; and which these were. */
function refusing(
  project: Project,
  { error, refusedOf }: { error: CliffordError; refusedOf: (types: readonly EventType[]) => EventType[] },
): { readonly project: Project; readonly refused: EventType[] } {
  const refused: EventType[] = [];
  const check = (events: readonly { type: EventType }[]) => {
    const hit = refusedOf(events.map(({ type }) => type));
    refused.push(...hit);
    if (hit.length > 0) throw error;
  };
  const faulty: Project = {
    ...project,
    get state() {
      return project.state;
    },
    dispatch: (stream, choose) =>
      project.dispatch(stream, (state) => {
        const chosen = choose(state);
        check(chosen);
        return chosen;
      }),
    async record(stream, facts) {
      check(facts);
      return project.record(stream, facts);
    },
  };
  return { project: faulty, refused };
}

/** A project whose log takes events of these types only at the second try, and says which it refused. */
function refusingOnce(
  project: Project,
  { types, error }: { types: readonly EventType[]; error: CliffordError },
) {
  const left = new Set(types);
  const refusedOf = (appended: readonly EventType[]) => {
    const hit = appended.filter((type) => left.has(type));
    for (const type of hit) left.delete(type);
    return hit;
  };
  return refusing(project, { error, refusedOf });
}

/** A project whose log takes nothing more once it is away, and says what was to be recorded then. */
function goingAway(project: Project, error: CliffordError) {
  let isAway = false;
  const goAway = () => {
    isAway = true;
  };
  return { ...refusing(project, { error, refusedOf: (types) => (isAway ? [...types] : []) }), goAway };
}

it('a run whose log is away ends ten seconds after the first stop, and waits for the log no more', async () => {
  const { root } = await freshSprint();
  const { project, refused, goAway } = goingAway(await openTestProject(root), busy);
  const { runner, ended, printed } = startRun(root, { agentCmd: agentHere('hang-first'), project });
  const over = ended.catch((error: unknown) => error);
  await printed(/ready/);
  goAway();
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  void runner.stop('Ctrl-C').catch(() => undefined);
  await expect.poll(() => refused).toContain('agent.exited');
  now += 6_000;
  void runner.stop('Ctrl-C once more').catch(() => undefined);
  now += 4_000;
  expect(await over).toBe(busy);
  // What was to be recorded last was tried once more, and what would have to wait for the log as long was not.
  expect(new Set(refused)).toEqual(new Set(['agent.exited']));
});

describe('a run whose log cannot be written for a while', () => {
  const everything: EventType[] = [
    'sprint.created',
    'sprint.started',
    'task.started',
    'agent.started',
    'agent.exited',
    'sprint.completed',
  ];

  it.each([
    ['is locked', busy],
    ['failed a write', logPoisoned('events.jsonl', new Error('ENOSPC'))],
  ])(
    'because it %s goes on, says so once for each trouble, and records everything once',
    async (_, error) => {
      const { root } = await freshSprint();
      const own = await openTestProject(root);
      const { project, refused } = refusingOnce(own, { types: everything, error });
      const { runner, ended } = startRun(root, { agentCmd: agentHere('complete'), project });
      const problems: string[] = [];
      runner.on('problem', (problem) => problems.push(problem));
      expect(await ended).toMatchObject({ outcome: 'completed' });
      expect(refused).toEqual(everything);
      expect(new Set(problems)).toEqual(new Set([`${error.message}; it is tried again`]));
      expect(problems.length).toBeLessThanOrEqual(refused.length);
      const types = (await eventsOf(own)).map(({ type }) => type);
      for (const type of everything) expect(types.filter((each) => each === type)).toEqual([type]);
      expect(types.indexOf('agent.started')).toBeLessThan(types.indexOf('agent.exited'));
    },
  );
});

it('a prompt that could not be asked about is asked about at the next try', async () => {
  const { root } = await freshSprint();
  const command = agentCmd('prompt-and-read', '{prompt}', 'Continue? [y/N] ');
  await writeConfig(join(root, 'clifford.json'), {
    agent: 'asker',
    agents: { asker: { command, stdin: 'open' } },
  });
  const own = await openTestProject(root);
  const { project, refused } = refusingOnce(own, { types: ['help.requested'], error: busy });
  const { ended } = startRun(root, { project });
  const { id } = await own.until((state) => openRequests(state)[0]);
  expect(refused).toEqual(['help.requested']);
  await answerRequest(own, id, { response: 'y', option: 0, by: 'me', via: 'cli' });
  expect(await ended).toMatchObject({ outcome: 'completed' });
});

describe('an error that a new try may mend', () => {
  const going = (now: number) => ({ now, triedAt: now, stoppedAt: undefined });

  it('is put up with for five minutes, with pauses of five seconds at most', () => {
    const retries = new RetryPolicy();
    let now = 0;
    const pauses: number[] = [];
    for (;;) {
      const wait = retries.pauseAfter(busy, going(now));
      if (!wait) break;
      expect(wait.isNews).toBe(pauses.length === 0);
      pauses.push(wait.pauseMs);
      now += wait.pauseMs;
    }
    expect(pauses.slice(0, 4)).toEqual([100, 200, 400, 800]);
    expect(Math.max(...pauses)).toBe(5_000);
    expect(now).toBeGreaterThanOrEqual(300_000);
    expect(now).toBeLessThan(306_000);
  });

  it('is put up with for ten seconds once the run was told to stop', () => {
    const retries = new RetryPolicy();
    retries.pauseAfter(busy, going(0));
    const stopped = (now: number, triedAt = now) =>
      retries.pauseAfter(busy, { now, triedAt, stoppedAt: 100_000 });
    expect(stopped(109_999)).toBeDefined();
    expect(stopped(110_000)).toBeUndefined();
    // What was tried for so long is not tried again; a trouble that comes later is.
    retries.noteSuccess();
    expect(stopped(112_000, 101_000)).toBeUndefined();
    retries.noteSuccess();
    expect(stopped(130_000)).toBeDefined();
  });

  it('is another trouble after something succeeded', () => {
    const retries = new RetryPolicy();
    retries.pauseAfter(busy, going(0));
    retries.noteSuccess();
    expect(retries.pauseAfter(busy, going(400_000))).toEqual({ pauseMs: 100, isNews: true });
  });

  it('is none that a person has to mend', () => {
    const damaged = new LogCorruptError({ file: 'events.jsonl', line: 1, byte: 0 }, 'x');
    for (const error of [damaged, new Error('bug')])
      expect(new RetryPolicy().pauseAfter(error, going(0))).toBeUndefined();
  });
});
