import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeNewFile } from '../../lib/files/plain-file.ts';
import { CONFIG_FILE } from '../../workflow/config/config-place.ts';
import { CliffordError } from '../../errors.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { packageFile } from '../../package-file.ts';
import { messageOf } from '../../lib/message-of.ts';
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
  { agentCmd = bundledAgent(), inGit = true }: DemoOptions = {},
): Promise<string> {
  const made = dir === undefined ? await mkdtemp(join(tmpdir(), 'clifford-demo-')) : await makeFolder(dir);
  // The temporary folder of macOS is a link: what is recorded should name the folder itself.
  const root = await realpath(made);
  if ((await readdir(root)).length > 0) throw notEmpty(root);
  await cp(packageFile('demo/project'), root, { recursive: true });
  await mkdir(join(root, STATE_DIR), { mode: 0o700 });
  writeNewFile(join(root, 'mcp.json'), `${JSON.stringify(gateway(), null, 2)}\n`, 0o666);
  const commitAll = inGit ? await beginRepository(root) : undefined;
  writeNewFile(join(root, CONFIG_FILE), configuration(agentCmd, commitAll !== undefined), 0o666);
  if (commitAll) {
    writeNewFile(join(root, '.gitignore'), `/${STATE_DIR}/\n`, 0o666);
    await commitAll();
  }
  return root;
}

type DemoOptions = { readonly agentCmd?: string; readonly inGit?: boolean };

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
    const reason = messageOf(error);
    throw new CliffordError(`Cannot make the demo in ${made}: ${reason}`, {
      code: 'DEMO_DIR_UNUSABLE',
      fix: 'Name a new folder in one that exists and can be written, or omit --keep',
      cause: error,
    });
  }
}

function notEmpty(root: string): CliffordError {
  return new CliffordError(`Cannot make the demo in ${root}: the folder has to be empty`, {
    code: 'DEMO_DIR_TAKEN',
    fix: 'Name a folder that does not exist yet, or omit --keep',
  });
}
