// Takes pictures of the screen and of the page from real runs: the demo's sprint, in a terminal, with keys, and in a Chromium. Run it after `npm run build`.
// `node scripts/pictures.ts` makes what the documentation shows; with a folder, every picture in every size and theme, there.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { prepareDemo } from '../src/cli/demo/prepare-demo.ts';
import { castOf } from './pictures/cast.ts';
import { takePage } from './pictures/page.ts';
import { scenesOfPast, scenesOfRun, scenesOfOverview, type Scene } from './pictures/scenes.ts';
import { dark, light, pictureOf } from './pictures/svg.ts';
import { openTerminal, type Size } from './pictures/terminal.ts';

const repository = join(import.meta.dirname, '..');
const clifford = join(repository, 'dist/cli.js');
const [everything] = process.argv.slice(2);
const folder = everything ?? join(repository, 'docs/pictures');

/** What is seen names paths: this one says nothing about the machine. */
const root = '/tmp/clifford-demo';
const env = {
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  HOME: join(root, '.home'),
  USER: 'you',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  CLIFFORD_TRUST_PROJECT: '1',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'user.name',
  GIT_CONFIG_VALUE_0: 'You',
  GIT_CONFIG_KEY_1: 'user.email',
  GIT_CONFIG_VALUE_1: 'you@example.com',
};

/** The demo's project, in git, with two more sprints to come. */
async function prepare(): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await prepareDemo(root);
  await mkdir(env.HOME);
  await symlink(join(repository, 'dist/demo-agent.js'), join(env.HOME, 'demo-agent.js'));
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ verify: [], commit: true }));
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: root, env, stdio: 'ignore' });
  await writeFile(join(root, '.gitignore'), '.clifford/\n.home/\n');
  for (const id of ['login', 'search'])
    run(process.execPath, clifford, 'sprint', 'new', id, '--name', NAMES[id] ?? id);
  run(process.execPath, clifford, 'task', 'add', 'form', 'Build the form', '--sprint', 'login');
  run(process.execPath, clifford, 'task', 'add', 'index', 'Index the texts', '--sprint', 'search');
  run('git', 'init', '--quiet');
  run('git', 'add', '.');
  run('git', 'commit', '--quiet', '--message', 'The project');
}

const NAMES: Readonly<Record<string, string>> = {
  login: 'Log in with a passkey',
  search: 'Search in all texts',
};

/** Runs a command, and takes a picture of each of its scenes. */
async function take(args: readonly string[], scenes: readonly Scene[], size: Size): Promise<void> {
  const program = openTerminal([process.execPath, clifford, ...args], { ...size, cwd: root, env });
  try {
    for (const { keys, sees, name } of scenes) {
      if (keys !== undefined) program.press(keys);
      await program.see(sees);
      if (name === undefined) continue;
      for (const [theme, palette] of Object.entries({ dark, light })) {
        if (!isWanted(name, theme)) continue;
        const file = everything ? `${name}-${size.columns}x${size.rows}-${theme}.svg` : `${name}.svg`;
        await writeFile(
          join(folder, file),
          pictureOf(program.screen, palette, `clifford ${args.slice(0, 2).join(' ')}: ${name}`),
        );
      }
    }
    if (!everything && args[0] === 'run')
      await writeFile(join(folder, 'run.cast'), castOf(program.output, size));
  } finally {
    program.kill();
  }
  await program.exited;
}

const SHOWN = new Set(['question', 'states', 'past', 'approval', 'overview']);

function isWanted(name: string, theme: string): boolean {
  return everything !== undefined || (SHOWN.has(name) && theme === 'dark');
}

const sizes: readonly Size[] = everything
  ? [
      { columns: 80, rows: 24 },
      { columns: 120, rows: 40 },
      { columns: 200, rows: 60 },
    ]
  : [{ columns: 100, rows: 30 }];

await mkdir(folder, { recursive: true });
const agent = `node ${join(env.HOME, 'demo-agent.js')}`;
try {
  for (const size of sizes) {
    await prepare();
    await take(['run', 'demo', '--agent-cmd', agent], scenesOfRun, size);
    await take(['replay', 'demo'], scenesOfPast, size);
    await take([], scenesOfOverview, size);
  }
  await prepare();
  await takePage({ folder, root, env, clifford, agent });
} finally {
  await rm(root, { recursive: true, force: true });
}
