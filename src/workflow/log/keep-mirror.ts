import { existsSync } from 'node:fs';
import { pause } from '../../lib/pause.ts';
import { CliffordError } from '../../errors.ts';
import { tryHold } from '../../lib/files/kernel-lock.ts';
import { lockFile } from '../project/lock-file.ts';
import type { ServedLog } from './choose-log.ts';
import { Mirror } from './mirror.ts';

/** How often whoever waits for its turn, or for the server, tries, in ms. */
const RETRY_MS = 2_000;

/** Which log is mirrored into which project. */
type MirrorOrder = {
  /** Its `.clifford`, absolute. */
  readonly dir: string;
  readonly served: ServedLog;
  /** Told once why it is not mirrored any more. */
  readonly report: (problem: unknown) => void;
};

/** A mirror that is kept. */
export type KeptMirror = {
  /** Brings it up to date, if that takes no longer than a moment, and ends. */
  readonly stop: () => Promise<void>;
};

/**
 * Keeps `events.jsonl` of a project as the mirror of its log on a server, so that it can be read without it, until it is
 * stopped. One process of a project does; when it ends, another one that is there takes over.
 */
export function keepMirror({ dir, served, report }: MirrorOrder): KeptMirror {
  const ending = new AbortController();
  let mirror: Mirror | undefined;

  const keep = async () => {
    for (; !ending.signal.aborted; await pause(RETRY_MS, ending.signal)) {
      const lock = existsSync(dir) ? tryHold(lockFile(dir, 'mirror')) : undefined;
      if (!lock) continue;
      mirror = new Mirror(dir, served, ending.signal);
      try {
        await mirror.run();
      } catch (error) {
        // The server is away. When it is back, so is the mirror.
        if (!(error instanceof CliffordError && error.recovery === 'retry')) throw error;
      } finally {
        lock.release();
      }
    }
  };

  const keeping = keep().catch(report);
  return {
    async stop() {
      await mirror?.finish();
      ending.abort();
      await keeping;
    },
  };
}
