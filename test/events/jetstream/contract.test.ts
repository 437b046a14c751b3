import { openReopeningLog } from '../../../src/events/log/reopening-log.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { seededRandom } from '../../helpers/random.ts';
import { describeEventLog } from '../log/event-log-contract.ts';
import { failingAppends, faultyLog } from '../log/faulty-log.ts';
import { natsPlace } from './temp-log.ts';

describeWithNats('on a server', (server) => {
  describeEventLog('JetStream log', async () => natsPlace(server));

  const random = seededRandom(1);
  describeEventLog(
    'JetStream log whose appends fail, before and after they are written',
    async () => {
      const place = natsPlace(server);
      return {
        open: (options) =>
          openReopeningLog(async () =>
            faultyLog(await place.open(options), { faults: failingAppends, random }),
          ),
      };
    },
    { appendsFail: true },
  );
});
