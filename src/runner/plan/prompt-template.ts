import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { utf8Text } from '../../lib/text/utf8-text.ts';

/** Where a project keeps its own text for agents, from its root. */
export const PROMPT_FILE = `${STATE_DIR}/prompt.md`;

/**
 * The project's own text for agents. `undefined`: it has none, and the built-in one counts.
 *
 * @throws {CliffordError} `PROMPT_UNREADABLE` when there is something that is not text.
 */
export async function readPromptTemplate(root: string): Promise<string | undefined> {
  const file = join(root, PROMPT_FILE);
  const bytes = await readSmallFile(file);
  if (bytes === undefined) return undefined;
  if ('refused' in bytes) throw unreadable(file, bytes.refused);
  const text = utf8Text(bytes);
  // NUL is legal in UTF-8, but in no argument of a program.
  if (text === undefined || text.includes('\0')) throw unreadable(file, 'it is not UTF-8 text');
  if (text.trim() === '') throw unreadable(file, 'it is empty');
  return text;
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read the prompt ${file}: ${reason}`, {
    code: 'PROMPT_UNREADABLE',
    fix: 'Correct the file, or remove it: then agents get the built-in text',
  });
}
