import { openSqliteEvents } from './sqlite-events.ts';
import { runWriter } from './writer-protocol.ts';

const SQLITE_CONSTRAINT = 19;

/** One writing process of the append bench: the same events into SQLite, WAL, synchronous=FULL. */
await runWriter(async ({ path, stream, mode }) => {
  const database = openSqliteEvents(path);
  const next = database.prepare(
    'INSERT INTO events SELECT ?1, coalesce(max(version), 0) + 1, ?2 FROM events WHERE stream = ?1',
  );
  const exact = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
  const head = database.prepare('SELECT coalesce(max(version), 0) AS version FROM events WHERE stream = ?');
  let version = 0;
  return {
    write: async (newEvent) => {
      const event = JSON.stringify(newEvent);
      if (mode === 'any') {
        next.run(stream, event);
        return;
      }
      for (;;) {
        try {
          exact.run(stream, version + 1, event);
          version += 1;
          return;
        } catch (error) {
          if (!isConstraint(error)) throw error;
          version = Number(head.get(stream)?.['version']);
        }
      }
    },
    close: async () => database.close(),
  };
});

function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_CONSTRAINT;
}
