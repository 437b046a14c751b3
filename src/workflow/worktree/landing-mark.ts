import { join } from 'node:path';
import { z } from 'zod';
import { ownText } from '../../lib/files/plain-file.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeOwn } from '../../lib/files/write-own.ts';

/** It has paths of a commit. */
const MAX_BYTES = 64 * 1024 * 1024;

const commitSchema = z.string().regex(/^[0-9a-f]{40,64}$/);
const pathsSchema = z.array(z.string()).default([]);
const markSchema = z.object({
  from: commitSchema,
  sha: commitSchema,
  made: pathsSchema,
  staged: pathsSchema,
});

/**
 * A landing that is under way: its files are those of one commit, and become those of another. `made`, `staged`: paths whose files,
 * and whose entries in the index, somebody had made so before.
 */
export type LandingMark = Readonly<z.infer<typeof markSchema>>;

/** What a landing needs meanwhile: below a project's `.clifford`, only as long as one is under way. */
export function landingFolder(stateDir: string): string {
  return join(stateDir, 'landing');
}

/** Notes that a landing begins. */
export async function writeLandingMark(stateDir: string, mark: LandingMark): Promise<void> {
  await writeOwn(stateDir, markFile(stateDir), `${JSON.stringify(mark)}\n`);
}

/** The landing that was begun and did not come to its end. `undefined`: there is none. */
export function readLandingMark(stateDir: string): LandingMark | undefined {
  const text = ownText(markFile(stateDir), { maxBytes: MAX_BYTES });
  if (text === undefined) return undefined;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Notes that it has come to its end. */
export function removeLandingMark(stateDir: string): void {
  removeOwn(landingFolder(stateDir), stateDir);
}

function markFile(stateDir: string): string {
  return join(landingFolder(stateDir), 'mark.json');
}
