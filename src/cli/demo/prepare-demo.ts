import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { writeNewFile } from '../../lib/files/plain-file.ts';
import { CONFIG_FILE } from '../../workflow/config/config-place.ts';
import { CliffordError } from '../../errors.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { packageFile } from '../../package-file.ts';
import { isMissing, systemCodeOf } from '../../lib/system-error.ts';
import { beginRepository } from './begin-repository.ts';

/**
 * Makes the demo's project: a copy of the bundled one, in `dir` or in a new temporary folder. Where there is git, it is a
 * repository, so that each task becomes a commit, and what it changed can be seen.
 *
 * @param agentCmd - What starts its agent. Default: the one that comes with Clifford.
 * @returns its root, absolute.
 * @throws {CliffordError} `DEMO_DIR_TAKEN` when `dir` has something in it, `DEMO_DIR_UNUSABLE` when it
 *   cannot be made or is no folder.
 */
export async function prepareDemo(
  dir: string | undefined,
  { agentCmd = bundledAgent(), inGit = true, tell }: DemoOptions = {},
): Promise<string> {
  const made = dir === undefined ? await mkdtemp(join(tmpdir(), 'clifford-demo-')) : await makeFolder(dir);
  // The temporary folder of macOS is a link: what is recorded should name the folder itself.
  const root = await realpath(made);
  if ((await readdir(root)).length > 0) throw notEmpty(root);
  await cp(packageFile('demo/project'), root, { recursive: true });
  await mkdir(join(root, STATE_DIR), { mode: 0o700 });
  writeNewFile(join(root, 'mcp.json'), `${JSON.stringify(gateway(), null, 2)}\n`, 0o666);
  const hasCommit = inGit && (await commitFirst(root, { agentCmd, tell }));
  if (!hasCommit) writeNewFile(join(root, CONFIG_FILE), configuration(agentCmd, false), 0o666);
  return root;
}

/** Makes it a repository with a commit of all that is there, the configuration included. Where that fails it is as before. */
async function commitFirst(
  root: string,
  { agentCmd, tell }: Required<Pick<DemoOptions, 'agentCmd'>> & Pick<DemoOptions, 'tell'>,
): Promise<boolean> {
  const begun = await beginRepository(root);
  if (begun.is === 'inAnother') return false;
  if (begun.is === 'failed') {
    tell?.(withoutGit(begun.how));
    return false;
  }
  const files = { [CONFIG_FILE]: configuration(agentCmd, true), '.gitignore': `/${STATE_DIR}/\n` };
  for (const [name, text] of Object.entries(files)) writeNewFile(join(root, name), text, 0o666);
  const end = await begun.commitAll();
  if (end.is === 'committed') return true;
  for (const name of Object.keys(files)) await rm(join(root, name));
  tell?.(withoutGit(end.how));
  return false;
}

const withoutGit = (how: string) => `The demo runs without git, and makes no commits: ${how}.`;

type DemoOptions = {
  readonly agentCmd?: string;
  readonly inGit?: boolean;
  /** Is told in a line that git does not work, where it does not. */
  readonly tell?: ((line: string) => void) | undefined;
};

function bundledAgent(): string {
  return `"${process.execPath}" "${packageFile('dist/demo-agent.js')}"`;
}

/** The demo's `clifford.json`: its agent, so that each later command needs to be told of none. */
function configuration(agentCmd: string, commits: boolean): string {
  const clarification = { enabled: true, defaultTimeout: 0 };
  const rest = { agentCmd, maxAttempts: 1, verify: [], ...(commits && { commit: true }), clarification };
  const why = '// Said here so that no configuration of your own changes what the demo shows.';
  return `${why}\n${JSON.stringify(rest, null, 2)}\n`;
}

/** The demo's `mcp.json`: its own server behind the gateway, and a human asked about every call. */
function gateway(): object {
  const release = { command: process.execPath, args: [packageFile('dist/demo-server.js')] };
  return { servers: { release }, policy: { default: 'confirm' } };
}

/** Not recursive: a recursive mkdir below /proc never ends. */
async function makeFolder(dir: string): Promise<string> {
  const made = resolve(dir);
  try {
    if (!existsSync(made)) await mkdir(made);
    await readdir(made);
    return made;
  } catch (error) {
    throw new CliffordError(`Cannot make the demo in ${made}: ${whyUnusable(made, error)}`, {
      code: 'DEMO_DIR_UNUSABLE',
      fix: 'Name a new folder in one that exists and can be written, or omit --keep',
      cause: error,
    });
  }
}

function whyUnusable(folder: string, error: unknown): string {
  const above = dirname(folder);
  if (isMissing(error) && existsSync(folder)) return 'it is no folder';
  if (isMissing(error) && !existsSync(above)) return `there is no folder ${above}`;
  return `the system says ${systemCodeOf(error)}`;
}

function notEmpty(root: string): CliffordError {
  return new CliffordError(`Cannot make the demo in ${root}: the folder has to be empty`, {
    code: 'DEMO_DIR_TAKEN',
    fix: 'Name a folder that does not exist yet, or omit --keep',
  });
}
