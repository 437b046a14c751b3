import { openReopeningLog } from '../../../src/events/log/reopening-log.ts';
import { seededRandom } from '../../helpers/random.ts';
import { describeEventLog } from './event-log-contract.ts';
import { everyFault, faultyLog } from './faulty-log.ts';
import { MemoryStore, openMemoryLog } from './memory-log.ts';

const random = seededRandom(1);
/** What the one who appends is not to notice. Half of all appends fail so. */
const hidden = {
  ...everyFault,
  refused: 0,
  failedBefore: 0.1,
  failedAfter: 0.2,
  timedOut: 0.2,
  duplicated: 0,
  stale: 0,
  unreadable: 0,
};

// With what makes an append known again on top, the contract holds whatever becomes of single writes.
describeEventLog(
  'log whose appends fail, before and after they are written',
  async () => {
    const store = new MemoryStore();
    return {
      open: (options) =>
        openReopeningLog(async () =>
          faultyLog(await openMemoryLog(store, options), { faults: hidden, random }),
        ),
    };
  },
  { appendsFail: true },
);
