import { join } from 'node:path';
import { z } from 'zod';
import { ownText } from '../../lib/files/plain-file.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeOwn } from '../../lib/files/write-own.ts';

/** It is short. */
const MAX_BYTES = 4_096;

const commitSchema = z.string().regex(/^[0-9a-f]{40,64}$/);
const markSchema = z.object({ from: commitSchema, sha: commitSchema });

/** A landing that is under way: its files are those of one commit, and become those of another. */
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
