import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSmallFile } from '../files/small-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** A text to change, and the name of its file: editors look at its ending. */
export type ToEdit = { readonly name: string; readonly text: string };

/** What an editor made of it, or why there is nothing, as a clause. */
export type EditedText = { readonly text: string } | { readonly problem: string };

/**
 * Has a person change a text in the editor of `$VISUAL` or `$EDITOR`, which may have options of its own. What comes back
 * any program of this user could have written: show it before it counts. The file is in a folder that nobody else can look
 * into, and gone afterwards.
 */
export async function openEditor(
  env: Readonly<Record<string, string | undefined>>,
  { name, text }: ToEdit,
): Promise<EditedText> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'clifford-edit-'));
  const file = join(folder, name);
  const listen = keepInterrupts();
  try {
    await writeAtomically(file, `${text}\n`);
    const child = spawn('/bin/sh', ['-c', around(editor), 'sh', file], {
      stdio: 'inherit',
      env: { ...env },
    });
    const [code, signal] = await once(child, 'exit');
    if (code !== 0) return { problem: howEnded(code, signal) };
    const changed = await readSmallFile(file);
    if (changed === undefined) return { problem: 'the editor left no file' };
    if (!Buffer.isBuffer(changed)) return { problem: changed.refused };
    // Editors end each file with a newline.
    return { text: changed.toString('utf8').replace(/\r?\n$/, '') };
  } finally {
    listen();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A line of shell that itself does not end by a Ctrl-C that the editor lives through, and leaves the modes of the terminal
 * as they were, however the editor left them.
 */
function around(editor: string): string {
  return `trap : INT
before=$(stty -g 2>/dev/null)
${editor} "$1"
ended=$?
[ -z "$before" ] || stty "$before"
exit $ended`;
}

/** What a shell says of a program that it does not find. */
const NOT_FOUND = 127;

function howEnded(code: unknown, signal: unknown): string {
  if (code === NOT_FOUND) return 'there is no such editor, set VISUAL or EDITOR to one';
  return `the editor ended with ${typeof code === 'number' ? `code ${code}` : String(signal)}`;
}

/** Ctrl-C is the editor's: nobody here hears of it until the returned function is called. */
function keepInterrupts(): () => void {
  const heard = process.listeners('SIGINT');
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  for (const listener of heard) process.off('SIGINT', listener);
  return () => {
    for (const listener of heard) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  };
}
