import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventData } from '../../src/events/catalog.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { castLine } from '../../src/workflow/transcripts/cast.ts';
import { on } from './history.ts';

/**
 * An agent at work on task `a` of sprint `demo`, the run `run-1`, that has written `one`. Returns its transcript, to be written
 * on. `data`: what else its start says.
 */
export async function agentAtWork(
  { root, project }: { readonly root: string; readonly project: Project },
  data: Partial<EventData<'agent.started'>> = {},
): Promise<string> {
  const transcript = '.clifford/transcripts/run-1.cast';
  const path = join(root, transcript);
  await mkdir(join(root, '.clifford', 'transcripts'), { recursive: true, mode: 0o700 });
  const header = castLine({ version: 3, term: { cols: 80, rows: 24 } });
  await writeFile(path, header + castLine([0, 'o', 'one\r\n']));
  await project.record('demo', [
    on('demo/a', 'task.started', { attempt: 1, by: 'runner', runId: 'run-1' }),
    on('demo/a', 'agent.started', { transcript, ...data }),
  ]);
  return path;
}
