import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { nameOf } from '../../../src/machines/status-words.ts';
import { mergeAnswers } from '../../../src/workflow/worktree/worktree-request.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { on } from '../../helpers/history.ts';
import { eventsOf, startRun, typesOf } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { answer, stuckRequest, whileRunning } from './support.ts';

beforeEach(withoutGitConfig);

/** A run of a sprint whose task `a` another worker has done and pushed: HEAD is detached where that is to be merged. */
async function asked() {
  const { root, project } = await projectWithSprint({ tasks: ['a'] });
  const git = makeRepository(root);
  git.commitAll();
  const base = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '-b', 'pushed');
  git.write({ 'a.txt': 'a\n' });
  git.commitAll();
  const sha = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '--detach', 'main');
  await project.record('demo', [
    on('demo', 'sprint.started'),
    on('demo/a', 'offer.made', { worker: 'owner', base, needs: [] }),
    on('demo/a', 'offer.taken', { worker: 'helper', branch: 'pushed' }),
    on('demo/a', 'task.started', { attempt: 1 }),
    on('demo/a', 'task.completed'),
    on('demo/a', 'offer.ended', { worker: 'helper', outcome: 'done', reason: 'completed', sha }),
  ]);
  const run = startRun(root, { agentCmd: agentHere('complete'), sprint: 'demo' });
  const request = await whileRunning(run, 'a question', stuckRequest(project, 'a'));
  const expectAsked = async (times: number) =>
    expect((await typesOf(project)).filter((type) => type === 'help.requested')).toHaveLength(times);
  return { root, project, git, sha, run, request, expectAsked };
}

it('what another worker has pushed is asked about where no worktree of it can be made, and merged once that is put right', async () => {
  const { root, project, git, sha, run, request, expectAsked } = await asked();
  expect(request.asked).toMatchObject({
    task: 'a',
    question: 'The changes of task a cannot be merged: HEAD is detached: there is no branch to merge into',
    reason: `Check out a branch, in ${root}. Worker helper has pushed the changes, as commit ${sha.slice(0, 12)}: nothing of them is lost`,
    options: [mergeAnswers.again, mergeAnswers.drop],
  });
  const sprint = project.state.streams.get('demo');
  expect(sprint && nameOf(sprint.machine.value)).toBe('blocked');
  await run.runner.stop();
  // Who asks is gone: the question is there for the next run.
  const again = startRun(root, { agentCmd: agentHere('complete'), sprint: 'demo' });
  git('checkout', '--quiet', 'main');
  await answer(project, request, 'HEAD is on main again');
  expect(await again.ended).toMatchObject({ outcome: 'completed' });
  expect(existsSync(join(root, 'a.txt'))).toBe(true);
  await expectAsked(1);
});

it('what was pushed is asked about again, as long as no worktree of it can be made', async () => {
  const { project, run, request, expectAsked } = await asked();
  await answer(project, request, mergeAnswers.again);
  const next = project.until((state) => {
    const all = [...(state.streams.get('demo')?.requests.values() ?? [])];
    return all.find(({ id }) => id !== request.id);
  });
  await answer(project, await whileRunning(run, 'another question', next), mergeAnswers.drop);
  expect(await run.ended).toMatchObject({ outcome: 'completed' });
  const worktrees = (await eventsOf(project)).filter(({ type }) => type.startsWith('worktree.'));
  expect(worktrees.map(({ type }) => type)).toEqual([
    'worktree.stuck',
    'worktree.settled',
    'worktree.stuck',
    'worktree.settled',
  ]);
  const { streams } = await project.refresh();
  const { machine } = streams.get('demo')?.tasks.get('a') ?? {};
  expect(machine && nameOf(machine.value)).toBe('done.skipped');
  await expectAsked(2);
});
