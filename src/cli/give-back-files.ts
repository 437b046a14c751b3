import { hasBorrowed } from '../runner/borrow/borrowed-folder.ts';
import type { Cli } from './cli.ts';
import { oneLine } from './text/visible.ts';

/** Gives files back that a runner which was killed had changed for a run, and says what their owner should know. */
export async function giveBackFiles({ warn }: Pick<Cli, 'warn'>, stateDir: string): Promise<void> {
  if (!hasBorrowed(stateDir)) return;
  const { giveBackLeftFiles } = await import('../runner/borrow/borrowed-files.ts');
  for (const note of await giveBackLeftFiles(stateDir)) warn(`note: ${oneLine(note)}`);
}
