import { describeEventLog } from '../log/event-log-contract.ts';
import { openJsonlLog } from '../../../src/events/jsonl/jsonl-log.ts';
import { tempLogPath } from './temp-log.ts';

describeEventLog('JSONL log', async () => {
  const path = await tempLogPath();
  return { open: (options) => openJsonlLog(path, options) };
});
