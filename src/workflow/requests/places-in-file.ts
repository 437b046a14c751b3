import { CliffordError } from '../../errors.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';

/**
 * The lines of a file, from 1, at which a text begins that an agent wants to replace: two at most. None: it is not there, or
 * the file cannot be read: it is outside of the folder, no plain file, or longer than 1 MiB.
 */
export async function placesInFile(folder: string, path: string, text: string): Promise<readonly number[]> {
  const whole = text === '' ? undefined : await textIn(folder, path);
  if (whole === undefined) return [];
  const first = whole.indexOf(text);
  const second = first < 0 ? -1 : whole.indexOf(text, first + 1);
  return [first, second].filter((at) => at >= 0).map((at) => whole.slice(0, at).split('\n').length);
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
