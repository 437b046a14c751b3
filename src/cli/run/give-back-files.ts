import { hasTemporaryEdits } from '../../runner/temporary-edits/journal-folder.ts';
import type { Cli } from '../cli.ts';
import { oneLine } from '../../lib/text/visible.ts';

/** Gives files back that a runner which was killed had changed for a run, and says what their owner should know. */
export async function giveBackFiles({ warn }: Pick<Cli, 'warn'>, stateDir: string): Promise<void> {
  if (!hasTemporaryEdits(stateDir)) return;
  const { giveBackLeftFiles } = await import('../../runner/temporary-edits/temporary-edits.ts');
  for (const note of await giveBackLeftFiles(stateDir)) warn(`note: ${oneLine(note)}`);
}
