import { randomUUID } from 'node:crypto';

/** The variables that say where the log of the tests is, if it is not in the file: what they start has to have them, too. */
export function logEnv(): Record<string, string> {
  const { CLIFFORD_LOG: log } = process.env;
  return log ? { CLIFFORD_LOG: log } : {};
}

/** The same for one of several projects of a test: on a server, each has a log of its own. */
export function ownLogEnv(): Record<string, string> {
  const { CLIFFORD_LOG: log } = logEnv();
  return log ? { CLIFFORD_LOG: `${log}-${randomUUID()}` } : {};
}
