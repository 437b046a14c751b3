import { setTimeout as sleep } from 'node:timers/promises';
import { CliffordError } from '../errors.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { Checkpoint } from '../events/log/event-log.ts';
import { backoffMs } from '../lib/time/backoff.ts';
import { isStale, logReplaced } from '../events/log/log-replaced.ts';
import type { Project } from '../workflow/project/project.ts';

/** Before a log that could not be read is read again. */
const PAUSE = { firstMs: 100, longestMs: 1_000 };

/** So often in a row what was read may be missing while the project finds its log as it was: somebody restores it. */
const MOST_STALE_TRIES = 10;

/**
 * The events of a log, those to come, too, each once, until `signal` aborts. What keeps the log from being read is told
 * once, and it is tried again until it can be read.
 *
 * @throws {CliffordError} `LOG_REPLACED` when it is another one; any other with recovery `reopen`: the project was closed.
 */
export async function* followEvents(
  { log, refresh }: Pick<Project, 'log' | 'refresh'>,
  { signal, onProblem }: { readonly signal: AbortSignal; readonly onProblem: (error: CliffordError) => void },
): AsyncGenerator<readonly StoredEvent[]> {
  let after: Checkpoint | undefined;
  let failures = 0;
  let staleTries = 0;
  while (!signal.aborted) {
    try {
      for await (const batch of log.follow({ signal, ...(after ? { after } : {}) })) {
        after = batch.checkpoint();
        failures = 0;
        staleTries = 0;
        yield batch.events;
      }
      return;
    } catch (error) {
      const trouble = isStale(error) ? await troubleOf(refresh) : error;
      if (isStale(error) && trouble === undefined) {
        staleTries += 1;
        if (staleTries > MOST_STALE_TRIES) throw logReplaced(error);
      } else if (!(trouble instanceof CliffordError) || trouble.recovery === 'reopen') throw trouble;
      else if (failures === 0) onProblem(trouble);
      await sleep(backoffMs(PAUSE, failures), undefined, { signal }).catch(() => undefined);
      if (trouble !== undefined) failures += 1;
    }
  }
}

/** What the project has to say of its log: it waits a moment for one that is being restored. */
function troubleOf(refresh: Project['refresh']): Promise<unknown> {
  return refresh().then(
    () => undefined,
    (error: unknown) => error,
  );
}
