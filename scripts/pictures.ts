// Takes pictures of the screen and of the page from real runs: the demo's sprint, in a terminal, with keys, and in a Chromium.
// Run it after `npm run build`.
// `node scripts/pictures.ts` makes what the documentation shows. With a folder, there: every picture in every size and theme,
// also of a busy sprint; where rsvg-convert is installed, as PNG, too. Behind the folder, sizes to do without the others: 80x24.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { prepareDemo } from '../src/cli/demo/prepare-demo.ts';
import { identify } from '../src/lib/processes/process-identity.ts';
import { runnerLockPath } from '../src/workflow/project/runner-lock.ts';
import { BUSY_SPRINT, writeBusyProject } from './pictures/busy-project.ts';
import { CARDS_SPRINT } from './pictures/cards.ts';
import { castOf } from './pictures/cast.ts';
import { takePage } from './pictures/page.ts';
import {
  scenesOfBusyOverview,
  scenesOfBusySprint,
  scenesOfCards,
  scenesOfFailure,
  scenesOfNothing,
  scenesOfOverview,
  scenesOfPast,
  scenesOfRun,
  type Scene,
} from './pictures/scenes.ts';
import { dark, light, pictureOf } from './pictures/svg.ts';
import { openTerminal, type Size } from './pictures/terminal.ts';

const repository = join(import.meta.dirname, '..');
const clifford = join(repository, 'dist/cli.js');
const [everything, ...onlySizes] = process.argv.slice(2);
const folder = everything ?? join(repository, 'docs/pictures');

/** A folder of this run alone. What is seen may name it: it says nothing about the machine. */
const place = await mkdtemp('/tmp/clifford-');
const root = join(place, 'clifford-demo');
const env = {
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  HOME: join(root, '.home'),
  USER: 'you',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  CLIFFORD_TRUST_PROJECT: '1',
  CLIFFORD_AGENT_CMD: 'node .home/demo-agent.js',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'user.name',
  GIT_CONFIG_VALUE_0: 'You',
  GIT_CONFIG_KEY_1: 'user.email',
  GIT_CONFIG_VALUE_1: 'you@example.com',
};

/** What the terminal paints with. The screen is told which it is, as by a person whose terminal does not say it. */
const palettes = { dark, light } as const;

/** How large a terminal is, and which colours it has. */
type Look = Size & { readonly theme: keyof typeof palettes };

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

/** A project in which a lot goes on. Nobody runs it: the lock says that somebody does, and its holder that agents are there. */
async function takeBusy(size: Look): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(env.HOME, { recursive: true });
  await take([], scenesOfNothing, size);
  const runners = await Promise.all([BUSY_SPRINT, CARDS_SPRINT].map(holdRun));
  try {
    await writeBusyProject(root, identify(runners[0]?.pid ?? 0));
    await take(['attach', BUSY_SPRINT], scenesOfBusySprint, size);
    await take(['attach', CARDS_SPRINT], scenesOfCards, size);
    await take([], scenesOfBusyOverview, size);
  } finally {
    for (const runner of runners) runner.kill();
  }
}

/** Not in this process: what descends from a runner is an agent, and may not decide. */
async function holdRun(sprint: string): Promise<ChildProcess> {
  const lockFile = runnerLockPath(join(root, '.clifford'), sprint);
  const runner = spawn(process.execPath, [join(repository, 'scripts/pictures/hold-lock.ts'), lockFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(runner.stdout, 'data');
  return runner;
}

/** Runs a command, and takes a picture of each of its scenes. */
async function take(
  args: readonly string[],
  scenes: readonly Scene[],
  { theme, ...size }: Look,
): Promise<void> {
  const program = openTerminal([process.execPath, clifford, ...args], {
    ...size,
    cwd: root,
    env: { ...env, CLIFFORD_THEME: theme },
  });
  try {
    for (const { keys, sees, name } of scenes) {
      if (keys !== undefined) program.press(keys);
      await program.see(sees);
      if (name === undefined || !isWanted(name)) continue;
      const file = join(folder, everything ? `${name}-${nameOf(size)}-${theme}.svg` : `${name}.svg`);
      const title = `clifford ${args.slice(0, 2).join(' ')}: ${name}`;
      await writeFile(file, pictureOf(program.screen, palettes[theme], title));
      if (everything) toPng(file);
    }
    if (!everything && args[0] === 'run')
      await writeFile(join(folder, 'run.cast'), castOf(program.output, size));
  } finally {
    program.kill();
  }
  await program.exited;
}

function nameOf({ columns, rows }: Size): string {
  return `${columns}x${rows}`;
}

/** Beside the picture, for what shows no SVG. */
function toPng(file: string): void {
  try {
    execFileSync('rsvg-convert', [file, '--output', file.replace(/svg$/, 'png')]);
  } catch (error) {
    // It is not installed: then there is the SVG.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** An agent that says why it cannot go on. */
const FAILS =
  'sh -c "echo Reading the passkeys of three browsers; echo cannot find module webauthn >&2; exit 3"';

const SHOWN = new Set(['question', 'states', 'past', 'approval', 'overview']);

function isWanted(name: string): boolean {
  return everything !== undefined || SHOWN.has(name);
}

const wide: readonly Size[] = everything
  ? [
      { columns: 80, rows: 24 },
      { columns: 120, rows: 40 },
      { columns: 200, rows: 60 },
    ]
  : [{ columns: 100, rows: 30 }];
const narrow: readonly Size[] = [
  { columns: 60, rows: 20 },
  { columns: 40, rows: 10 },
];
const themes = everything ? (['dark', 'light'] as const) : (['dark'] as const);
const isAsked = (size: Size) => onlySizes.length === 0 || onlySizes.includes(nameOf(size));

await mkdir(folder, { recursive: true });
const agent = env.CLIFFORD_AGENT_CMD;
let failure: unknown;
try {
  for (const theme of themes) {
    for (const size of wide.filter(isAsked)) {
      const look = { ...size, theme };
      await prepare();
      await take(['run', 'demo', '--agent-cmd', agent], scenesOfRun, look);
      await take(['replay', 'demo'], scenesOfPast, look);
      await take([], scenesOfOverview, look);
      if (everything) await take(['run', 'login', '--agent-cmd', FAILS], scenesOfFailure, look);
    }
    if (everything)
      for (const size of [...wide, ...narrow].filter(isAsked)) await takeBusy({ ...size, theme });
  }
  if (onlySizes.length === 0) {
    await prepare();
    await takePage({ folder, root, env, clifford, agent });
  }
} catch (error) {
  // What goes wrong while it is tidied up is not to take its place.
  failure = error;
  throw error;
} finally {
  await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }).catch(
    (error: unknown) => {
      if (failure === undefined) throw error;
      console.error(`left behind: ${place}: ${String(error)}`);
    },
  );
}
