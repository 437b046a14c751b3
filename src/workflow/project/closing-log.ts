import { CliffordError } from '../../errors.ts';
import type { EventLog } from '../../events/log/event-log.ts';

/** A log that says after its end what its callers know: that their project was closed. */
export function closingLog(log: EventLog): EventLog {
  let isClosed = false;
  const whileOpen = <T>(action: () => T): T => {
    if (isClosed) throw projectClosed();
    return action();
  };
  return {
    append: async (...args) => whileOpen(() => log.append(...args)),
    read: (options) => later(() => whileOpen(() => log.read(options))),
    select: (selection) => later(() => whileOpen(() => log.select(selection))),
    follow: (options) => later(() => whileOpen(() => log.follow(options))),
    changed: (options) => log.changed(options),
    head: async (stream) => whileOpen(() => log.head(stream)),
    close() {
      isClosed = true;
      return log.close();
    },
  };
}

/** An iterator that is asked for when its first item is. */
async function* later<T>(start: () => AsyncIterable<T>): AsyncGenerator<T> {
  yield* start();
}

/** Whoever uses a project after its end. */
export function projectClosed(): CliffordError {
  return new CliffordError('Cannot use the project: it was closed', {
    code: 'PROJECT_CLOSED',
    fix: 'Open the project again',
    recovery: 'reopen',
  });
}
