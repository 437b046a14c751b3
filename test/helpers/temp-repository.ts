import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';

/** Git in one folder. Nothing of the configuration of whoever runs the tests counts. */
export type TestGit = ((...args: readonly string[]) => string) & {
  /** Writes files below the folder. */
  readonly write: (files: Readonly<Record<string, string>>) => void;
  /** Commits everything that is there. */
  readonly commitAll: (message?: string) => void;
  /** `git status`, short, a line per file; without Clifford's own folder. */
  readonly status: () => string[];
};

/** Keeps git's own configuration files, and hooks of whoever runs the tests, out of this test. */
export function withoutGitConfig(): void {
  for (const [name, value] of Object.entries(quiet)) vi.stubEnv(name, value);
}

const quiet = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };

/** Git in this folder. */
export function gitIn(cwd: string): TestGit {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, ...quiet },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  return Object.assign(git, {
    write: (files: Readonly<Record<string, string>>) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(cwd, path)), { recursive: true });
        writeFileSync(join(cwd, path), text);
      }
    },
    commitAll: (message = 'before') => {
      git('add', '--all', '--', '.', ':!.clifford');
      git('commit', '--quiet', '--allow-empty', '-m', message);
    },
    status: () =>
      git('status', '--porcelain', '--untracked-files=all', '--', '.', ':!.clifford')
        .split('\n')
        .filter(Boolean),
  });
}

/** A new repository in this folder, on the branch `main`, of a user called Ada. */
export function makeRepository(cwd: string): TestGit {
  const git = gitIn(cwd);
  // What `git init` makes and git needs: tests make many, and programs are slow to start.
  for (const folder of ['objects', 'refs']) mkdirSync(join(cwd, '.git', folder), { recursive: true });
  git.write({
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[core]\n\trepositoryformatversion = 0\n[user]\n\tname = Ada\n\temail = ada@example.com\n',
  });
  return git;
}
