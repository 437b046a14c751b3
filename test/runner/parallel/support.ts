import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { stuckOf } from '../../../src/machines/fold-worktree.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { eventsOf, freshSprint, startRun, type SprintRun } from '../../helpers/sprint-run.ts';
import { makeRepository, type TestGit } from '../../helpers/temp-repository.ts';
import type { SprintRunnerOptions } from '../../../src/runner/sprint/sprint-runner.ts';

/** Which files agents write, by task; `null`: they remove it. With `#together` none is done before all have begun. */
export type Plan = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** A sprint whose tasks are worked on at once, two unless it is said otherwise. */
export type ParallelSprint = {
  readonly root: string;
  readonly dir: string;
  readonly project: Project;
  readonly git: TestGit;
  /** The folder of its worktrees. */
  readonly worktrees: string;
  /** Writes what agents do from now on. */
  readonly plan: (plan: Plan) => Promise<void>;
  readonly run: (options?: Partial<SprintRunnerOptions>) => SprintRun;
};

/** A sprint in a repository with `shared.txt` and `other.txt`, whose agents write these files. */
export async function parallelSprint(
  first: Plan,
  { config, ...sprint }: Parameters<typeof freshSprint>[0] & { config?: unknown } = {},
): Promise<ParallelSprint> {
  const made = await freshSprint({
    tasks: Object.keys(first).filter((task) => !task.includes('#')),
    ...sprint,
  });
  const { root } = made;
  const git = makeRepository(root);
  git.write({ 'shared.txt': 'one\ntwo\nthree\n', 'other.txt': 'other\n' });
  if (config !== undefined) git.write({ 'clifford.json': JSON.stringify(config) });
  git.commitAll();
  const script = join(root, '.clifford', 'plan.json');
  const plan = (next: Plan) => writeFile(script, JSON.stringify(next));
  await plan(first);
  const agentCmd = agentHere('change-files', script);
  const run = (options: Partial<SprintRunnerOptions> = {}) =>
    startRun(root, { agentCmd, sprint: 'demo', parallel: 2, ...options });
  const worktrees = join(dirname(root), `${basename(root)}.worktrees`);
  onTestFinished(() => rm(worktrees, { recursive: true, force: true }));
  return { ...made, git, plan, run, worktrees };
}

/** The request of a task that cannot be merged, once it is there. */
export function stuckRequest(project: Project, task: string): Promise<RequestState> {
  return project.until((state) => {
    const sprint = state.streams.get('demo');
    const known = sprint?.tasks.get(task);
    return known && sprint?.requests.get(stuckOf(known)?.requestId ?? '');
  });
}

/** What is waited for while a run goes on: one that ends before fails the test at once. */
export async function whileRunning<T>({ ended }: SprintRun, what: string, awaited: Promise<T>): Promise<T> {
  const early = ended.then(({ outcome, reason }): never => {
    throw new Error(`${what} did not come: the run ended before, ${outcome}: ${reason}`);
  });
  return Promise.race([awaited, early]);
}

/** Answers a request, as a person at a shell. */
export async function answer(project: Project, { id }: RequestState, response: string): Promise<void> {
  await answerRequest(project, id, { response, by: 'ada', via: 'cli' });
}

/** What the log says of worktrees: `a claimed`, in order. */
export async function livesOf(project: Project): Promise<string[]> {
  return (await eventsOf(project))
    .filter(({ type }) => type.startsWith('worktree.'))
    .map(({ subject, type }: StoredEvent) => `${subject.split('/')[1]} ${type.replace('worktree.', '')}`);
}
