import { DatabaseSync } from 'node:sqlite';

/** Opens a database for a durable append of each event, SQLite's own defence against a power cut. */
export function openSqliteEvents(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 60_000 });
  database.exec('PRAGMA synchronous = FULL');
  return database;
}

/** Makes such a database. Beforehand: the change to WAL fails where several processes make it at once. */
export function makeSqliteEvents(path: string): void {
  const database = openSqliteEvents(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(
    'CREATE TABLE events (stream TEXT, version INTEGER, event TEXT, PRIMARY KEY (stream, version))',
  );
  database.close();
}
