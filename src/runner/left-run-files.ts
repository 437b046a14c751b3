import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { tryHold } from '../events/kernel-lock.ts';
import { codeOf, isMissing } from '../system-error.ts';
import { jsonObject } from './agents/json-line.ts';
import { findMarked, RUN_ID_VARIABLE } from './orphans.ts';
import { isAlive } from './process-identity.ts';
import { ownerFileOf, runDir, RunFiles, runsDir } from './run-files.ts';

const agentSchema = z.strictObject({ pid: z.int().positive(), processStart: z.string(), bootId: z.string() });

/**
 * Removes the files of runs whose owner was killed: a runner, of whichever sprint, or a doctor. What an agent needs
 * that still lives stays. Costs a look for a folder where there are none. Returns what could not be removed, a line
 * each.
 *
 * @param stateDir - The project's `.clifford`.
 */
export function removeLeftRunFiles(stateDir: string): string[] {
  return idsIn(runsDir(stateDir)).flatMap((runId) => {
    const dir = runDir(stateDir, runId);
    try {
      removeIfLeft(dir, runId);
      return [];
    } catch (error) {
      // What the system refuses, e.g. because an agent wrote there as another user.
      if (!(error instanceof Error) || codeOf(error) === undefined) throw error;
      return [`Cannot remove ${dir}, which a killed run has left: ${error.message}`];
    }
  });
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
  const agent = agentSchema.safeParse(jsonObject(readFileSync(ownerFileOf(dir), 'utf8'))).data;
  return agent !== undefined && isAlive(agent);
}

/** The runs that have a folder. */
function idsIn(dir: string): string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
