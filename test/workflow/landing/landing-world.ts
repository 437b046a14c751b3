import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { landCommit } from '../../../src/workflow/landing/land-commit.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig, type TestGit } from '../../helpers/temp-repository.ts';

/** A project with a commit on each of two branches: they change lines of one file that are far from each other. */
export type World = {
  readonly root: string;
  readonly git: TestGit;
  readonly one: string;
  readonly other: string;
};

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at}`);

export async function makeWorld({ refFormat = 'files' } = {}): Promise<World> {
  withoutGitConfig();
  onTestFinished(() => void vi.unstubAllEnvs());
  const root = await tempRoot();
  const git = refFormat === 'files' ? makeRepository(root) : gitIn(root);
  if (refFormat !== 'files') {
    git('init', '--quiet', '--initial-branch', 'main', `--ref-format=${refFormat}`);
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.com');
  }
  git.write({ 'lines.txt': LINES.join('\n'), 'old.txt': 'old', 'mine.txt': 'mine' });
  git.commitAll();
  const commitOn = (branch: string, change: () => void) => {
    git('checkout', '--quiet', '-b', branch, 'main');
    change();
    git.commitAll(branch);
    return git('rev-parse', 'HEAD');
  };
  const one = commitOn('one', () => {
    git.write({ 'lines.txt': ['one', ...LINES.slice(1)].join('\n'), 'new/made.txt': 'made' });
    git('rm', '--quiet', 'old.txt');
  });
  const other = commitOn('other', () =>
    git.write({ 'lines.txt': [...LINES.slice(0, -1), 'other'].join('\n') }),
  );
  git('checkout', '--quiet', 'main');
  return { root, git, one, other };
}

export function land(
  { root }: World,
  sha: string,
  { env = {}, signal = new AbortController().signal, tell = (_problem: string) => {} } = {},
) {
  return landCommit(
    { cwd: root, signal, env },
    { sha, into: 'main', message: 'landed', dir: join(root, '.clifford'), tell },
  );
}

/** A git before git, in which these cases of the shell come first: `*" update-ref "*) exit 1 ;;`. @returns what has it run. */
export async function gitThat({ root }: Pick<World, 'root'>, cases: string): Promise<{ PATH: string }> {
  const bin = join(root, '.clifford', 'bin');
  const path = process.env['PATH'] ?? '';
  const script = `#!/bin/sh
PATH='${path}'
case "$GIT_INDEX_FILE $*" in
${cases}
esac
exec git "$@"
`;
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  return { PATH: `${bin}:${path}` };
}

/** Commands of a landing, as a pattern of the shell: the index they work with, and their arguments. */
const STEPS = {
  // The landing's own index is not the one that is meant.
  'read-tree': '" "*" read-tree "*',
  'update-ref': '" "*" update-ref "*',
  checkout: '*" --work-tree="*" read-tree "*',
};

/** Begins a landing whose git stands still in front of this step, or behind it. */
export async function beginLanding(
  world: World,
  sha: string,
  step: keyof typeof STEPS,
  { isDone = false, leaves = [] as readonly string[] } = {},
) {
  const bin = join(world.root, '.clifford', 'bin');
  const [reached, go] = [join(bin, 'reached'), join(bin, 'go')];
  const left = leaves.map((lock) => `: > '${join(world.root, '.git', lock)}'; `).join('');
  const env = await gitThat(
    world,
    `${STEPS[step]}) ${isDone ? 'git "$@"; ' : ''}${left}: > '${reached}'
      until [ -e '${go}' ]; do sleep 0.05; done
      ${isDone ? 'exit 0' : ''} ;;`,
  );
  const stopping = new AbortController();
  const landing = land(world, sha, { env, signal: stopping.signal });
  await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 30_000 });
  return {
    goOn: () => {
      writeFileSync(go, '');
      return landing;
    },
    stop: async () => {
      stopping.abort(new Error('ended'));
      await expect(landing).rejects.toThrow('ended');
    },
  };
}

/** The same, and ends it there. */
export async function landUntil(...begun: Parameters<typeof beginLanding>): Promise<void> {
  const { stop } = await beginLanding(...begun);
  await stop();
}

/** Commits a change on a branch of its own. */
export function commitOf({ git }: World, change: () => void): string {
  git('checkout', '--quiet', '-b', 'change', 'main');
  change();
  git('add', '--all', '--force', '--', '.', ':!.clifford');
  git('commit', '--quiet', '-m', 'change');
  const sha = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', 'main');
  return sha;
}
