import type { Checkpoint, EventLog } from '../../events/log/event-log.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { limitEnd } from '../../machines/usage-limit.ts';
import { emptyStreamFold, foldStream, type StreamFold } from './fold-stream.ts';
import type { LogFold } from './log-fold.ts';
import { isSamePolicy, isSameSpending, isSameSprint } from './same-state.ts';

/** What has to be as the log says beside a stream and the policy: what agents used, and may use, in any stream. */
export type ConfirmOptions = { readonly usage?: boolean };

/** Of what the log says the same as a snapshot did. */
export class ConfirmedParts {
  readonly #streams = new Set<string>();
  #hasUsage = false;

  has(stream: string, { usage = false }: ConfirmOptions): boolean {
    return this.#streams.has(stream) && (this.#hasUsage || !usage);
  }

  add(stream: string, { usage = false }: ConfirmOptions): void {
    this.#streams.add(stream);
    this.#hasUsage ||= usage;
  }
}

/** Whether the log says of a stream, and of what is the same for all, what a fold does that began with a snapshot. */
export async function isConfirmed(
  log: Pick<EventLog, 'select'>,
  fold: LogFold,
  { stream, usage = false }: ConfirmOptions & { readonly stream: string },
): Promise<boolean> {
  const logged = emptyStreamFold();
  try {
    // While this was read the follower may have brought more: then that is read, too.
    for (let after: Checkpoint | undefined; ;) {
      const until = fold.checkpoint;
      if (until !== after) await foldStream(log, logged, { stream, after, until, withUsage: usage });
      if (until !== fold.checkpoint) {
        after = until;
        continue;
      }
      const isSame = isSameSprint(fold.state.streams.get(stream), logged.state.streams.get(stream));
      if (!isSame || !isSamePolicy(fold.state, logged.state)) return false;
      return !usage || isSameUsage(fold.state, logged);
    }
  } catch {
    // What is wrong with the log, if it is the log, the whole fold says.
    return false;
  }
}

/**
 * Whether a state says what the log does of what agents may use. A limit that may last is never taken from a snapshot:
 * whether it does follows from all that agents did since, in any stream.
 */
function isSameUsage(state: ProjectState, logged: StreamFold): boolean {
  const now = Date.now();
  const mayBeLimited = logged.limitedUntil > now || state.limits.some((limit) => limitEnd(limit) > now);
  return !mayBeLimited && isSameSpending(state, logged.state);
}
