import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, runInterleaved, timeMs } from './support/measure.ts';
import { printTable } from './support/table.ts';

/**
 * How much sooner a sprint of eight tasks is done with two and four of them at once: each waits for its model, which takes 4 s,
 * then makes a file; that is verified, committed and merged. `npx node bench/parallel.ts [rounds]`. Needs a build and git.
 */
const rounds = Number(process.argv[2] ?? 3);
const MODEL_S = 4;
const TASKS = Array.from({ length: 8 }, (_, index) => `task-${index + 1}`);
/** What worktrees, commits and merges may take of the time that was saved. */
const REACH = 0.75;

const cli = join(import.meta.dirname, '../dist/cli.js');
const agent = `sh -c 'sleep ${MODEL_S}; echo "$CLIFFORD_TASK" > "$CLIFFORD_TASK.txt"'`;
const git = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Bench'],
      [`GIT_${who}_EMAIL`, 'bench@example.com'],
    ]),
  ),
};
const env = { ...process.env, ...git, CLIFFORD_CONFIG: '/dev/null' };

const figures = await runInterleaved(rounds, [
  { name: 'one', run: () => sprintMs(1) },
  { name: 'two', run: () => sprintMs(2) },
  { name: 'four', run: () => sprintMs(4) },
]);
const seconds = (name: 'one' | 'two' | 'four') => median(figures.get(name) ?? []) / 1_000;
const row = (name: 'two' | 'four', times: number) => ({
  what: `${name} at once, against one after another`,
  figure: `${seconds('one').toFixed(1)} s : ${seconds(name).toFixed(1)} s`,
  ratio: seconds('one') / seconds(name),
  reach: { 'at-least': times * REACH },
});
const title = `A sprint of ${TASKS.length} tasks that wait ${MODEL_S} s each for their model`;
process.exitCode = printTable(title, [row('two', 2), row('four', 4)]) ? 0 : 1;

/** How long `clifford run` takes with so many at once, in ms. */
async function sprintMs(parallel: number): Promise<number> {
  const base = await mkdtemp(join(tmpdir(), 'clifford-bench-parallel-'));
  const root = join(base, 'project');
  const dir = join(root, 'sprints/bench');
  try {
    await mkdir(dir, { recursive: true });
    await mkdir(join(root, '.clifford'));
    const tasks = TASKS.map((id) => ({ id, file: `${id}.md`, status: 'pending' }));
    const manifest = { id: 'bench', tasks, done: 'exit-0', verify: ['true'], commit: true };
    await writeFile(join(dir, 'manifest.json'), JSON.stringify(manifest));
    await Promise.all(TASKS.map((id) => writeFile(join(dir, `${id}.md`), `# ${id}\n`)));
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
      ['commit', '--quiet', '-m', 'The plan'],
    ])
      execFileSync('git', args, { cwd: root, env });
    const args = [
      cli,
      'run',
      '--plain',
      '--accept-commands',
      '--parallel',
      String(parallel),
      '--agent-cmd',
      agent,
    ];
    return await timeMs(() => promisify(execFile)(process.execPath, args, { cwd: root, env }));
  } finally {
    await rm(base, { recursive: true });
  }
}
