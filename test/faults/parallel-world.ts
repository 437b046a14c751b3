import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestState } from '../../src/machines/project-state.ts';
import { openProject, type Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { mergeAnswers } from '../../src/workflow/worktree/worktree-request.ts';
import { ownLogEnv } from '../helpers/log-env.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { agentCmd, eventsOf } from '../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { makeRepository, type TestGit } from '../helpers/temp-repository.ts';
import { withoutMarks } from '../helpers/without-marks.ts';
import type { KilledProject } from './killed-run.ts';

export const TASKS = ['t1', 't2', 't3', 't4', 't5', 't6'];

/** What the third one asks. */
export const QUESTION = 'Which colour?';

/** Git calls it for every reference that has moved; not where Clifford merges, which runs no hooks there. */
const HOOK = `#!/bin/sh
if [ "$1" = committed ]; then cat >> "$(git rev-parse --git-common-dir)/every-move"; else cat > /dev/null; fi
`;

/** A sprint of six tasks, four at once, that change lines of one file, two the same; the last depends on these. */
export type ParallelWorld = KilledProject & {
  readonly worktrees: string;
  readonly git: TestGit;
  readonly project: Project;
  /** The ids of commits that were there at one look or another. */
  readonly seen: Set<string>;
  /** What its runs have told, and the log does not say. */
  readonly problems: string[];
  readonly close: () => Promise<void>;
};

/** Makes one, in a repository that writes down every commit that a reference has had. */
export async function newParallelWorld(): Promise<ParallelWorld> {
  const root = await tempRoot();
  const entries = TASKS.map((id) => ({
    id,
    file: `${id}.md`,
    ...(id === 't6' && { dependsOn: ['t1', 't2'] }),
  }));
  await writeSprint(root, { tasks: TASKS, manifest: { tasks: entries, verify: ['test -f lines.txt'] } });
  const git = makeRepository(root);
  git.write({
    'lines.txt': Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join(''),
    '.git/hooks/reference-transaction': HOOK,
  });
  await chmod(join(root, '.git/hooks/reference-transaction'), 0o755);
  git.commitAll();
  const env = ownLogEnv();
  const project = await openProject({ root, source: '/clifford/cli', env });
  const worktrees = join(dirname(root), `${basename(root)}.worktrees`);
  const close = async () => {
    await project.close();
    await rm(worktrees, { recursive: true, force: true });
    await rm(root, { recursive: true, force: true });
  };
  return { root, env, worktrees, git, project, seen: new Set(), problems: [], close };
}

/** Starts the run of the sprint, or goes on with it. */
export function startParallelRun({ root, env, problems }: ParallelWorld): ChildProcess {
  const args = [
    fixtureProgram('run-sprint.ts'),
    join(root, '.clifford'),
    agentCmd('write-line'),
    'demo',
    '4',
  ];
  const run = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  run.stderr.setEncoding('utf8').on('data', (text: string) => problems.push(text));
  return run;
}

/**
 * Every commit of a task that there has ever been: those that references have had between two looks, too, and those that the log
 * names. One that git was killed over before a branch had it never was; and a merge that did not come to stay need not be left.
 */
export async function everyCommit({ root, git, project, seen }: ParallelWorld): Promise<Set<string>> {
  const moves = join(root, '.git/every-move');
  const moved = existsSync(moves) ? readFileSync(moves, 'utf8').split('\n') : [];
  const named = (await eventsOf(project)).flatMap(({ data }) =>
    'sha' in data && typeof data.sha === 'string' ? [data.sha] : [],
  );
  const ids = [...moved.map((line) => line.split(' ')[1] ?? ''), ...named, ...reachable(git)];
  for (const id of ids) if (/^[\da-f]*[1-9a-f]/.test(id)) seen.add(id);
  const merges = git('log', '--grep=^Clifford-Merge: ', '--format=%H', ...seen).split('\n');
  return seen.difference(new Set(merges).difference(new Set(named)));
}

/** The commits that a branch has, or a reference that keeps what was in the way. */
export function reachable(git: TestGit): Set<string> {
  return new Set(git('rev-list', '--branches', '--glob=refs/clifford').split('\n').filter(Boolean));
}

/** Somebody who answers what is asked, for as long as a run takes. */
export async function answerAll(
  world: ParallelWorld,
  { random, signal }: { readonly random: () => number; readonly signal: AbortSignal },
): Promise<void> {
  const { project } = world;
  while (!signal.aborted) {
    for (const request of openRequests(await project.refresh())) {
      await pause(random() * 300);
      await answer(world, request, random() < 0.5);
    }
    await pause(20);
  }
}

async function answer(
  { root, project }: ParallelWorld,
  { id, asked: { question, task = '' } }: RequestState,
  isForAgent: boolean,
): Promise<void> {
  const say = (response: string) => answerRequest(project, id, { response, by: 'ada', via: 'cli' });
  if (question === QUESTION) return void (await say('blue'));
  if (!isConflict(question)) throw new Error(`nobody can answer this: ${question}`);
  if (isForAgent) return void (await say(mergeAnswers.agent));
  const worktree = project.state.streams.get('demo')?.tasks.get(task)?.worktree;
  const file = join(resolve(root, worktree?.path ?? ''), 'lines.txt');
  await writeFile(file, withoutMarks(await readFile(file, 'utf8')));
  await say(mergeAnswers.again);
}

/** Whether it asks about the line that the first two tasks change. */
export function isConflict(question: string): boolean {
  return /^The changes of task t[12] cannot be merged into main: both have changed lines\.txt$/.test(
    question,
  );
}
