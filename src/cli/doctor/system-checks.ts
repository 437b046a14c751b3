import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markProblem } from '../../lib/processes/inherited-mark.ts';
import { withOwnSettings } from '../../workflow/git/git.ts';
import { runProgram } from '../../lib/processes/run-program.ts';
import { version } from '../../version.ts';
import { findInstall } from '../project/install.ts';
import { good, warning, type Check, type DoctorContext } from './check.ts';

/** The Node that runs this. Too old a one never gets here. */
export function checkNode(): Check {
  return good('node', `Node ${process.versions.node}, ${process.execPath}`);
}

/** Which Clifford this is, and how agents would start its server. */
export function checkClifford({ root, env }: DoctorContext): Check {
  const { where, serve } = findInstall(root, env);
  return good('clifford', `Clifford ${version}, ${where}`, { version, serve });
}

/** Whether what an agent starts can be told from you, however far it goes: see SECURITY.md. Nothing, where it can be. */
export function checkMark(): Check[] {
  const problem = markProblem();
  if (problem === undefined) return [];
  const text = `what agents start far away from themselves is not told from you by its limits: ${problem}`;
  const fix =
    'Install util-linux, and run agents as a user without special rights and with no limit of file locks';
  return [warning('processes', text, fix)];
}

/** Smaller than this, the screen of a run shows one pane at a time, or nothing. */
const ROOMY = { columns: 60, rows: 15 };

/** What a screen could be drawn on. */
export function checkTerminal({ stdin, stdout, env }: DoctorContext): Check {
  const name = 'terminal';
  if (!stdin.isTTY || !stdout.isTTY) return good(name, 'no terminal here: a run prints one line per event');
  // Some pseudo terminals say that they have no size: the screen takes this one, too.
  const [columns, rows] = [stdout.columns || 80, stdout.rows || 24];
  const depth = stdout.getColorDepth?.() ?? 1;
  const isUnicode = hasUnicode(env);
  const colours = depth === 1 ? 'no colours' : `${2 ** depth} colours`;
  const text = `terminal ${columns}x${rows}, ${colours}, ${isUnicode ? '' : 'no '}Unicode`;
  const facts = { columns, rows, colourBits: depth, isUnicode };
  if (columns < ROOMY.columns || rows < ROOMY.rows) {
    const fix = `Make it ${ROOMY.columns}x${ROOMY.rows} or larger, or use clifford run --plain`;
    return warning(name, text, fix, facts);
  }
  if (!isUnicode) {
    const fix = 'Set LANG to a locale with UTF-8, e.g. C.UTF-8, or use clifford run --plain';
    return warning(name, text, fix, facts);
  }
  return good(name, text, facts);
}

/** Whether the locale has more than ASCII. macOS has, whatever the variables say. */
export function hasUnicode(env: DoctorContext['env'], platform: string = process.platform): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return platform === 'darwin' || /utf-?8/i.test(locale);
}

/** What commits of tasks, and their definition of done, stand on. */
export async function checkGit({ root, env, signal }: DoctorContext): Promise<Check> {
  const name = 'git';
  const place = { cwd: root, env, signal, limitMs: 10_000 };
  const git = (...args: readonly string[]) => runProgram('git', withOwnSettings(args), place);
  const { code, out } = await git('--version');
  if (code !== 0) {
    return warning(name, 'git is not on the PATH', 'Install git, if tasks are to be committed');
  }
  const program = out.trim();
  const [inside, user, email] = await Promise.all([
    git('rev-parse', '--show-toplevel'),
    git('config', 'user.name'),
    git('config', 'user.email'),
  ]);
  if (inside.code !== 0) {
    // A repository of somebody else's is refused, and that is no missing one.
    const isRefused = existsSync(join(root, '.git'));
    const text = `${program}; ${isRefused ? 'it refuses the repository here' : 'no repository here'}`;
    const fix = isRefused
      ? `See what it says: git -C ${root} status`
      : 'Run git init, if tasks are to be committed, and to see what agents change';
    return warning(name, text, fix);
  }
  const missing = [user.code === 0 ? '' : 'user.name', email.code === 0 ? '' : 'user.email'].filter(Boolean);
  if (missing.length > 0) {
    const fix = missing.map((key) => `git config ${key} "…"`).join('; ');
    return warning(name, `${program}; no ${missing.join(' and no ')}`, fix);
  }
  return good(name, `${program}, repository ${inside.out.trim()}, commits as ${user.out.trim()}`);
}
