import { describeEventLog } from './event-log-contract.ts';
import { MemoryStore, openMemoryLog } from './memory-log.ts';

describeEventLog('memory log', async () => {
  const store = new MemoryStore();
  return { open: (options) => openMemoryLog(store, options) };
});
