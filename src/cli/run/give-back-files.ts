import { hasTemporaryEdits } from '../../workflow/temporary-edits/journal-folder.ts';
import type { Cli } from '../cli.ts';

/** Gives files back that a runner which was killed had changed for a run, and says what their owner should know. */
export async function giveBackFiles({ note }: Pick<Cli, 'note'>, stateDir: string): Promise<void> {
  if (!hasTemporaryEdits(stateDir)) return;
  const { giveBackLeftFiles } = await import('../../runner/temporary-edits/temporary-edits.ts');
  (await giveBackLeftFiles(stateDir)).forEach(note);
}
