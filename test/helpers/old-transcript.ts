import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '../../src/workflow/project/project.ts';
import { on } from './history.ts';

/**
 * An attempt at task `a` as an earlier version recorded it, whose transcript is plain text. Returns where that is,
 * from the project's folder.
 */
export async function recordOldAttempt(
  { root, project, stream }: { root: string; project: Project; stream: string },
  text: string,
): Promise<string> {
  const transcript = '.clifford/transcripts/run-old.log';
  await project.record(stream, [on(`${stream}/a`, 'agent.started', { runId: 'run-old', transcript })]);
  await mkdir(join(root, '.clifford/transcripts'));
  await writeFile(join(root, transcript), text);
  return transcript;
}
