import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import type { Cli } from '../cli.ts';

/**
 * Has a person change a text in the editor of `$VISUAL` or `$EDITOR`, which may have options of its own. What comes back
 * any program of this user could have written: show it before it counts.
 *
 * @param name - Of the file: editors look at its ending.
 * @returns `undefined` when the editor failed, or left no text.
 */
export async function openEditor(
  { env }: Pick<Cli, 'env'>,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<string | undefined> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'clifford-edit-'));
  const file = join(folder, name);
  // Ctrl-C is the editor's.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    await writeAtomically(file, `${text}\n`);
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
      stdio: 'inherit',
      env: { ...env },
    });
    const [code] = await once(child, 'exit');
    const changed = code === 0 ? await readSmallFile(file) : undefined;
    // Editors end each file with a newline.
    return Buffer.isBuffer(changed) ? changed.toString('utf8').replace(/\r?\n$/, '') : undefined;
  } finally {
    process.off('SIGINT', ignore);
    await rm(folder, { recursive: true, force: true });
  }
}
