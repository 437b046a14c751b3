import { join } from 'node:path';
import { createRedactor } from '../../src/events/secrets/redaction.ts';
import { applyEvent } from '../../src/machines/fold.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import { chosenProjectLog } from '../../src/workflow/project/chosen-project-log.ts';
import { saveSnapshot } from '../../src/workflow/project/snapshot-cache.ts';
import type { Folded } from '../../src/workflow/project/snapshot-cache.ts';
import { logEnv } from './log-env.ts';

/** Where the snapshot of a project lies whose log is in the file. */
export const snapshotFile = (root: string) => join(root, '.clifford', 'cache', 'state.json');

/**
 * Puts a snapshot beside the log of a project, as whoever has the sources can write one: whole, made by this fold, of this
 * log. `lie` changes what it says, in place or by another one.
 */
export async function forgeSnapshot(
  root: string,
  lie: (folded: Folded) => Partial<Folded> | void,
): Promise<void> {
  const env = logEnv();
  const dir = join(root, '.clifford');
  const { open, snapshot } = await chosenProjectLog({ root, env });
  const log = await open({ dir, redact: createRedactor(env) });
  const state = createProjectState();
  let checkpoint: Folded['checkpoint'] = { token: '0:', events: 0, heads: {} };
  for await (const batch of log.read()) {
    for (const event of batch.events) applyEvent(state, event);
    checkpoint = batch.checkpoint();
  }
  await log.close();
  const folded = { state, checkpoint };
  await saveSnapshot(join(dir, 'cache', snapshot), { ...folded, ...lie(folded) });
}
