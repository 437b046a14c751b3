import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { tryHold } from '../../lib/files/kernel-lock.ts';
import { readOwnFile } from '../../lib/files/plain-file.ts';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { isLink } from '../../lib/files/is-link.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/run-id-variable.ts';
import { jsonObject } from '../agents/output/json-line.ts';
import { findMarked } from './orphans.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import { ownerFileOf, runDir, RunFiles, runsDir } from './run-files.ts';

const agentSchema = z.strictObject({ pid: z.int().positive(), processStart: z.string(), bootId: z.string() });

/** Longest owner file that is read, in bytes. */
const MAX_OWNER_BYTES = 65_536;

/** What runs and doctors name their folders: any other is not Clifford's to remove. */
const OWN_NAME = /^(?:run|doctor)-[\w-]+$/;

/**
 * Removes the files of a run that is over, as an earlier runner left it. Returns what could not be removed, a line
 * each.
 *
 * @param runId - As the log says, which may have come with a checkout: it may be no name of a folder at all.
 */
export function removeRunFiles(stateDir: string, runId: string): string[] {
  if (!OWN_NAME.test(runId)) return [];
  return removeDir(runDir(stateDir, runId), (dir) => new RunFiles(dir).remove());
}

/**
 * Removes the files of runs whose owner was killed: a runner, of whichever sprint, or a doctor. What an agent needs
 * that still lives stays. Costs a look for a folder where there are none. Returns what could not be removed, a line
 * each.
 *
 * @param stateDir - The project's `.clifford`.
 */
export function removeLeftRunFiles(stateDir: string): string[] {
  const runs = runsDir(stateDir);
  return orRefused(`Cannot look in ${runs} for files left behind by killed runs`, () =>
    idsIn(runs).flatMap((runId) => removeDir(runDir(stateDir, runId), (dir) => removeIfLeft(dir, runId))),
  );
}

function removeDir(dir: string, remove: (dir: string) => void): string[] {
  return orRefused(`Cannot remove ${dir}, left behind by a killed run`, () => {
    remove(dir);
    return [];
  });
}

/** What the system refuses, e.g. because an agent wrote there as another user, as a line that begins with `what`. */
function orRefused(what: string, work: () => string[]): string[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) === undefined) throw error;
    return [`${what}: ${error.message}`];
  }
}

function removeIfLeft(dir: string, runId: string): void {
  const lock = tryHold(ownerFileOf(dir));
  if (!lock) return;
  try {
    if (!hasLivingAgent(dir, runId)) new RunFiles(dir).remove();
  } finally {
    lock.release();
  }
}

/** Whether the run's agent, or something that it has started, has outlived the runner. */
function hasLivingAgent(dir: string, runId: string): boolean {
  if (findMarked(RUN_ID_VARIABLE, runId).length > 0) return true;
  // Not every system shows the variables of a process.
  const owner = readOwnFile(ownerFileOf(dir), { maxBytes: MAX_OWNER_BYTES }).toString('utf8');
  const agent = agentSchema.safeParse(jsonObject(owner)).data;
  return agent !== undefined && isAlive(agent);
}

/** The runs that have a folder. */
function idsIn(dir: string): string[] {
  try {
    if (isLink(dir)) return [];
    const entries = readdirSync(dir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && OWN_NAME.test(entry.name))
      .map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
