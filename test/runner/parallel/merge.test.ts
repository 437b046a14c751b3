import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentHere } from '../../helpers/agent-here.ts';
import { eventsOf, freshSprint, startRun, typesOf } from '../../helpers/sprint-run.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

type Plan = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** A sprint in a repository whose agents write these files, by task. */
async function sprintOf(plan: Plan, { tasks = Object.keys(plan), manifest = {} } = {}) {
  const made = await freshSprint({ tasks, manifest });
  const git = makeRepository(made.root);
  git.write({ 'shared.txt': 'one\ntwo\nthree\n', 'other.txt': 'other\n' });
  git.commitAll();
  const script = join(made.root, '.clifford', 'plan.json');
  await writeFile(script, JSON.stringify(plan));
  const run = (options = {}) =>
    startRun(made.root, { agentCmd: agentHere('change-files', script), sprint: 'demo', parallel: 2, ...options });
  const worktrees = join(dirname(made.root), `${basename(made.root)}.worktrees`);
  return { ...made, git, run, worktrees };
}

describe('tasks in worktrees', () => {
  it('are merged one after the other, and leave neither folders nor branches', async () => {
    const { root, git, run, project, worktrees } = await sprintOf({
      a: { 'a.txt': 'a\n' },
      b: { 'b.txt': 'b\n', 'other.txt': null },
    });
    const end = await run().ended;
    console.log(await typesOf(project), (await eventsOf(project)).filter((e) => e.type.startsWith('worktree')).map((e) => JSON.stringify(e.data)));
    expect(end).toEqual({ outcome: 'completed', reason: 'all tasks are done' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a\n');
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('b\n');
    expect(existsSync(join(root, 'other.txt'))).toBe(false);
    expect(git('branch', '--list')).toBe('* main');
    expect(existsSync(worktrees)).toBe(false);
    expect(git('log', '--oneline')).toBe('');
  });
});
