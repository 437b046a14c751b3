import { CliffordError } from '../../errors.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';

/**
 * The line of a file, from 1, at which a text begins that an agent wants to replace. `undefined`: the text is not there, or
 * more than once, or the file cannot be read: it is outside of the folder, no plain file, or longer than 1 MiB.
 */
export async function placeInFile(folder: string, path: string, text: string): Promise<number | undefined> {
  if (text === '') return undefined;
  const whole = await textIn(folder, path);
  const at = whole?.indexOf(text) ?? -1;
  if (whole === undefined || at < 0 || whole.includes(text, at + 1)) return undefined;
  return whole.slice(0, at).split('\n').length;
}

async function textIn(folder: string, path: string): Promise<string | undefined> {
  try {
    const bytes = await readSmallFile(await insideRoot(folder, path));
    return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : undefined;
  } catch (error) {
    // An agent names what it likes: what leads nowhere has no lines.
    if (error instanceof CliffordError) return undefined;
    throw error;
  }
}
