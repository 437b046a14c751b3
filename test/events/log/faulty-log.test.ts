import { openReopeningLog } from '../../../src/events/log/reopening-log.ts';
import { seededRandom } from '../../helpers/random.ts';
import { describeEventLog } from './event-log-contract.ts';
import { failingAppends, faultyLog } from './faulty-log.ts';
import { MemoryStore, openMemoryLog } from './memory-log.ts';

const random = seededRandom(1);

// With what makes an append known again on top, the contract holds whatever becomes of single writes.
describeEventLog(
  'log whose appends fail, before and after they are written',
  async () => {
    const store = new MemoryStore();
    return {
      open: (options) =>
        openReopeningLog(async () =>
          faultyLog(await openMemoryLog(store, options), { faults: failingAppends, random }),
        ),
    };
  },
  { appendsFail: true },
);
