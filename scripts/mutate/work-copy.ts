import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../bundle.ts';

/**
 * How a run of tests ended. `file` is the first test file that failed, where one is known; `isSlow`: it waited for long
 * before it failed, or ended at the limit, which a busy machine can cause as well.
 */
export type Outcome =
  | { readonly is: 'passed' }
  | { readonly is: 'failed'; readonly file?: string; readonly isSlow: boolean };

/** What a test takes that waits for something in vain, in ms: less than the limits of vitest.config.ts. */
const SLOW_MS = 10_000;

/**
 * A copy of the project to break: files are copied, not linked, so nothing that is done to it reaches the project.
 * `node_modules` is a link, and only read.
 */
export type WorkCopy = {
  readonly read: (file: string) => Promise<string>;
  readonly write: (file: string, text: string) => Promise<void>;
  /** Makes `dist/` from the sources as they are now. `false`: they cannot be bundled. */
  readonly bundle: () => Promise<boolean>;
  /** Whether types are right. */
  readonly compiles: () => Promise<boolean>;
  /** Runs test files until the first failure. */
  readonly test: (files: readonly string[], limitMs: number) => Promise<Outcome>;
  readonly remove: () => Promise<void>;
};

/**
 * Settings of the compiler that leave the tests out. That a name is used no more makes no wrong program. What it finds out
 * about the files is kept, so that it looks again only at what depends on a change: a sixth of the time.
 */
const SOURCES_ONLY = 'tsconfig.mutants.json';
const settings = {
  extends: './tsconfig.json',
  include: ['src'],
  compilerOptions: {
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
    incremental: true,
    tsBuildInfoFile: '../types.tsbuildinfo',
  },
};

const run = promisify(execFile);

/**
 * Copies what is in the project in the folder `root`, except what git ignores, and its `dist/`.
 *
 * @param signal ends a run of tests as if it were late.
 */
export async function workCopy(root: string, signal: AbortSignal): Promise<WorkCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-mutants-'));
  const tree = join(folder, 'tree');
  const temporary = join(folder, 'tmp');
  const report = join(folder, 'report.json');
  const dist = join(tree, 'dist');
  // That of the sources: a snapshot that tests make with these is none to a program of another version.
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const { stdout } = await run('git', ['ls-files', '-zco', '--exclude-standard'], { cwd: root });
  await mkdir(temporary);
  for (const file of stdout.split('\0').filter((each) => each !== '')) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await cp(join(root, file), join(tree, file), { verbatimSymlinks: true, force: true });
  }
  await cp(join(root, 'dist'), dist, { recursive: true });
  await writeFile(join(tree, SOURCES_ONLY), JSON.stringify(settings));
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));

  const node = (args: readonly string[]) => {
    const mark = randomUUID();
    const child = spawn(process.execPath, args, {
      cwd: tree,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, TMPDIR: temporary, CLIFFORD_MUTANT: mark },
    });
    return { child, end: () => endMarked(`CLIFFORD_MUTANT=${mark}`) };
  };

  return {
    read: async (file) => readFile(join(tree, file), 'utf8'),
    write: async (file, text) => writeFile(join(tree, file), text),
    bundle: async () => {
      try {
        await bundle({ root: tree, outdir: dist, version });
        return true;
      } catch {
        return false;
      }
    },
    compiles: async () => {
      const { child } = node(['node_modules/typescript/bin/tsc', '-p', SOURCES_ONLY]);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code === 0;
    },
    test: async (files, limitMs) => {
      await rm(report, { force: true });
      const reporting = ['--reporter=json', `--outputFile=${report}`];
      const { child, end } = node([
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config=vitest.mutants.config.ts',
        ...reporting,
        ...files,
      ]);
      const exit = once(child, 'exit') as Promise<[number | null]>;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      const kill = () => child.kill('SIGKILL');
      limit.addEventListener('abort', kill);
      if (limit.aborted) kill();
      const [code] = await exit;
      limit.removeEventListener('abort', kill);
      await end();
      if (limit.aborted) return { is: 'failed', isSlow: true };
      if (code === 0) return { is: 'passed' };
      return { is: 'failed', ...(await firstFailure(report, tree)) };
    },
    remove: async () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The first test file that failed, relative to the root, as Vitest's JSON report says. */
async function firstFailure(report: string, tree: string): Promise<{ file?: string; isSlow: boolean }> {
  try {
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
      testResults: readonly {
        name: string;
        status: string;
        assertionResults: readonly { status: string; duration?: number | null }[];
      }[];
    };
    const failed = testResults.find(({ status }) => status === 'failed');
    if (!failed) return { isSlow: false };
    const isSlow = failed.assertionResults.some(
      ({ status, duration }) => status === 'failed' && (duration ?? 0) > SLOW_MS,
    );
    return { file: failed.name.slice(tree.length + 1), isSlow };
  } catch {
    // A run that was over before it began reports nothing.
    return { isSlow: false };
  }
}

/** Ends what tests left behind: the processes that inherited the variable. */
async function endMarked(mark: string): Promise<void> {
  for await (const file of glob('/proc/[0-9]*/environ')) {
    try {
      const environment = await readFile(file, 'utf8');
      if (environment.split('\0').includes(mark)) process.kill(Number(file.split('/')[2]), 'SIGKILL');
    } catch {
      // It has ended, or is somebody else's.
    }
  }
}
