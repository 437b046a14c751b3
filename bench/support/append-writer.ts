import { ConflictError } from '../../src/events/log/event-log.ts';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import { runWriter } from './writer-protocol.ts';

/** One writing process of the append bench: appends to the JSONL log. */
await runWriter(async ({ path, stream, mode }) => {
  const log = await openJsonlLog(path);
  let version = 0;
  return {
    write: async (event) => {
      if (mode === 'any') {
        await log.append(stream, [event], { expectedVersion: 'any' });
        return;
      }
      for (;;) {
        try {
          await log.append(stream, [event], { expectedVersion: version });
          version += 1;
          return;
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
          version = error.actual;
        }
      }
    },
    close: () => log.close(),
  };
});
