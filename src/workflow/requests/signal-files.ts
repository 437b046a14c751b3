import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readOwnFile } from '../../lib/files/plain-file.ts';
import { writeAtomicallySync } from '../../lib/files/write-atomically.ts';
import { STATE_DIR } from '../project/project-root.ts';

/** The question that waits, for programs without a log; in `.clifford/`. */
export const BLOCK_FILE = 'mcp-block.json';

/** The answer to it; in `.clifford/`. */
export const RESPONSE_FILE = 'mcp-response.json';

/** Longest block that is read, in bytes. */
const MAX_BYTES = 1_048_576;

const shownSchema = z.looseObject({ requestId: z.string() });

/**
 * Answers the question in the block file of the project in `root`, as any program may: by writing the
 * response file, at once and as a whole. A response that nobody has taken yet is replaced.
 *
 * @returns `false` when no question is shown: nothing was written. `true` says that the response lies
 *   there, not that it was the first answer.
 */
export function respondByFile(root: string, response: string): boolean {
  const block = join(root, STATE_DIR, BLOCK_FILE);
  if (!lstatSync(block, { throwIfNoEntry: false })?.isFile()) return false;
  const path = join(root, STATE_DIR, RESPONSE_FILE);
  writeAtomicallySync(path, JSON.stringify({ response, ...shownRequest(block) }));
  return true;
}

/** Names the request that is shown, so that its successor never gets this answer. */
function shownRequest(block: string): { requestId?: string } {
  try {
    const { requestId } = shownSchema.parse(
      JSON.parse(readOwnFile(block, { maxBytes: MAX_BYTES }).toString('utf8')),
    );
    return { requestId };
  } catch {
    // Another program's block names none, and one that is gone or half written cannot be asked.
    return {};
  }
}
