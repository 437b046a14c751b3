import type { EventData } from '../events/catalog.ts';

/**
 * The git worktree of a task that runs beside others. `merged`, `dropped`: its folder may be removed, and then it is not
 * here any more.
 */
export type WorktreeState = EventData<'worktree.claimed'> & {
  readonly phase: 'claimed' | 'ready' | 'stuck' | 'merged' | 'dropped';
  /** The event that said last where it is being made. */
  readonly claim?: string | undefined;
  /** Why its changes are not merged, and who is asked about that. */
  readonly stuck?: Pick<EventData<'worktree.stuck'>, 'requestId' | 'why' | 'reason'> | undefined;
  /** How often an agent went on with it since its changes could not be merged. */
  readonly rounds?: number | undefined;
  /** Who has said last that it is put right, and to be tried again. */
  readonly putRightBy?: string | undefined;
  /** The commit with its changes. */
  readonly merged?: string | undefined;
};

/** Whether there is a worktree with work in it that is neither merged nor given up. */
export function isOpenWorktree({ worktree }: { readonly worktree?: WorktreeState | undefined }): boolean {
  return worktree !== undefined && worktree.phase !== 'merged' && worktree.phase !== 'dropped';
}
