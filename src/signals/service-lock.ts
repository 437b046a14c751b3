import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pause } from '../lib/pause.ts';
import { lockFile } from '../workflow/project/lock-file.ts';
import { tryHold } from '../lib/files/kernel-lock.ts';

/** How often somebody who waits for its turn tries, in ms. */
const RETRY_MS = 500;

/** The right to serve the files of a project: one process at a time has it. */
export type ServiceTurn = {
  /**
   * Whether nobody waits for it. Then nobody comes in between, either: who comes now waits until it is
   * released.
   */
  readonly isLast: () => boolean;
  readonly release: () => void;
};

/**
 * Waits for the turn. The kernel passes it on when its holder dies. A second lock, held by whoever is
 * next, tells the holder that its files will be taken over.
 *
 * @returns `undefined` when `signal` aborts first.
 */
export async function takeTurn(projectDir: string, signal: AbortSignal): Promise<ServiceTurn | undefined> {
  const servingPath = lockFile(projectDir, 'signals.lock');
  const nextPath = lockFile(projectDir, 'signals-next.lock');
  let next: ReturnType<typeof tryHold>;
  try {
    while (!signal.aborted) {
      // Taking a lock makes its folder: a project that was deleted must not come back by that.
      if (existsSync(dirname(projectDir))) {
        const serving = tryHold(servingPath);
        if (serving) return turnOf(serving, projectDir, nextPath);
        next ??= tryHold(nextPath);
      }
      await pause(RETRY_MS, signal);
    }
    return undefined;
  } finally {
    next?.release();
  }
}

function turnOf(serving: { release: () => void }, projectDir: string, nextPath: string): ServiceTurn {
  let next: ReturnType<typeof tryHold>;
  return {
    isLast: () => {
      // Nobody waits, and taking the lock would bring it back.
      if (!existsSync(projectDir)) return true;
      next ??= tryHold(nextPath);
      return next !== undefined;
    },
    release: () => {
      next?.release();
      next = undefined;
      serving.release();
    },
  };
}
