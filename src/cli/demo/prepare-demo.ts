import { cp, mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { STATE_DIR } from '../../workflow/project-root.ts';
import { packageFile } from '../package-file.ts';

/**
 * Makes the demo's project: a copy of the bundled one, in `dir` or in a new temporary folder.
 *
 * @returns its root, absolute.
 * @throws {CliffordError} `DEMO_DIR_TAKEN` when `dir` has something in it.
 */
export async function prepareDemo(dir: string | undefined): Promise<string> {
  const made = dir === undefined ? await mkdtemp(join(tmpdir(), 'clifford-demo-')) : resolve(dir);
  await mkdir(made, { recursive: true });
  // The temporary folder of macOS is a link: what is recorded should name the folder itself.
  const root = await realpath(made);
  if ((await readdir(root)).length > 0) throw notEmpty(root);
  await cp(packageFile('demo/project'), root, { recursive: true });
  await mkdir(join(root, STATE_DIR), { mode: 0o700 });
  return root;
}

function notEmpty(root: string): CliffordError {
  return new CliffordError(`Cannot make the demo in ${root}: the folder has to be empty`, {
    code: 'DEMO_DIR_TAKEN',
    fix: 'Name a folder that does not exist yet, or leave --keep out',
    recovery: 'fix-input',
  });
}
