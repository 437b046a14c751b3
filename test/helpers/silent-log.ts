import type { EventLog } from '../../src/events/log/event-log.ts';
import { OutcomeUnknownError } from '../../src/events/log/outcome-unknown.ts';

/** So often the log itself appends the same events again before it gives up. */
const OWN_TRIES = 5;

const unknown = () =>
  new OutcomeUnknownError('Cannot append: nobody knows what became of it', {
    code: 'LOG_POISONED',
    fix: 'Append the same events again',
    recovery: 'retry',
  });

/** A log that stores the first append with an event of this type, and cannot say so for a while. */
export function silentAbout(type: string, log: EventLog): EventLog {
  let tries = 0;
  const isSilent = () => tries > 0 && tries <= OWN_TRIES;
  return {
    ...log,
    async append(stream, events, options) {
      const isMeant = events.some((event) => event.type === type);
      if (isMeant) tries += 1;
      if (!isMeant || !isSilent()) return log.append(stream, events, options);
      if (tries === 1) await log.append(stream, events, options);
      throw unknown();
    },
    async *select(selection) {
      if (isSilent()) throw unknown();
      yield* log.select(selection);
    },
  };
}
