import { ConflictError, type EventLog } from './event-log.ts';

/** An append of this process that has ended: how many events it was of, how long its caller waited, and what became of it. */
export type ObservedAppend = {
  readonly events: number;
  readonly ms: number;
  readonly outcome: 'stored' | 'conflict' | 'failed';
};

type Observer = (append: ObservedAppend) => void;

const observers = new Set<Observer>();

/** Tells `observer` of every append of this process, to whichever log, until the returned function is called. */
export function observeAppends(observer: Observer): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

/** A log of whose appends observers are told. */
export function observedLog(log: EventLog): EventLog {
  return {
    ...log,
    async append(stream, events, options) {
      if (observers.size === 0) return log.append(stream, events, options);
      const startedAt = performance.now();
      const tell = (outcome: ObservedAppend['outcome']) => {
        const ms = performance.now() - startedAt;
        for (const observer of observers) observer({ events: events.length, ms, outcome });
      };
      try {
        const stored = await log.append(stream, events, options);
        tell('stored');
        return stored;
      } catch (error) {
        tell(error instanceof ConflictError ? 'conflict' : 'failed');
        throw error;
      }
    },
  };
}
