import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ifThere } from '../../lib/files/if-there.ts';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { ownText } from '../../lib/files/plain-file.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { namesIn } from '../../lib/files/sweep-temporaries.ts';
import { writeOwn } from '../../lib/files/write-own.ts';

/** It has paths of a commit. */
const MAX_BYTES = 64 * 1024 * 1024;

const MARK = 'mark.json';

const commitSchema = z.string().regex(/^[0-9a-f]{40,64}$/);
const pathsSchema = z.array(z.string()).default([]);
const markSchema = z.object({
  from: commitSchema,
  sha: commitSchema,
  made: pathsSchema,
  staged: pathsSchema,
});

/**
 * A landing that is under way: its files are those of one commit, and become those of another. `made`, `staged`: paths whose
 * files, and whose entries in the index, somebody had made so before.
 */
export type LandingMark = Readonly<z.infer<typeof markSchema>>;

/**
 * Makes the folder in which a landing works: one of its own, as git that has outlived its caller may still write where it
 * did. What others have left beside the mark is removed.
 *
 * @returns its path, absolute. It is empty.
 */
export function makeLandingFolder(stateDir: string): string {
  const folder = landingFolder(stateDir);
  if (ifThere(() => lstatSync(folder), undefined)?.isDirectory() === false) removeOwn(folder, stateDir);
  makeOwnFolder(folder);
  for (const name of namesIn(folder)) if (name !== MARK) removeOwn(join(folder, name), stateDir);
  const own = join(folder, randomUUID());
  makeOwnFolder(own);
  return own;
}

/** Notes that a landing begins. */
export async function writeLandingMark(stateDir: string, mark: LandingMark): Promise<void> {
  await writeOwn(stateDir, markFile(stateDir), `${JSON.stringify(mark)}\n`);
}

/** The landing that is under way, or unfinished. `undefined`: there is none. */
export function readLandingMark(stateDir: string): LandingMark | undefined {
  const text = ownText(markFile(stateDir), { maxBytes: MAX_BYTES });
  if (text === undefined) return undefined;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Notes that it has come to its end: what stands in its files is nobody's but the user's. */
export function removeLandingMark(stateDir: string): void {
  removeOwn(markFile(stateDir), stateDir);
}

/** What a copy of a landing's is called until it has its name, in the folder where it is to be. */
export function temporaryOf({ sha }: Pick<LandingMark, 'sha'>): string {
  return `.landing-${sha}.tmp`;
}

/** Removes all that landings need meanwhile. */
export function removeLandingFolder(stateDir: string): void {
  removeOwn(landingFolder(stateDir), stateDir);
}

/** Below a project's `.clifford`, only as long as a landing is under way. */
function landingFolder(stateDir: string): string {
  return join(stateDir, 'landing');
}

function markFile(stateDir: string): string {
  return join(landingFolder(stateDir), MARK);
}
