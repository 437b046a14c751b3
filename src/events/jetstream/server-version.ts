import { CliffordError } from '../../errors.ts';

type Version = readonly [major: number, minor: number, patch: number];

/** The oldest server that a log is entrusted to: 2.10.20 to 2.10.22 are said to lose streams when their process is killed. */
const OLDEST: Version = [2, 10, 23];
/**
 * The oldest whose copies of a log stay the same. 2.9.10 acknowledged more than one writer in 282 of 1,200 races for the
 * same place; where the leader was killed, 2.10.27 had another message in a place that it had acknowledged, once in some
 * hundred kills: a new leader took messages before it knew all that the old one had
 * (https://github.com/nats-io/nats-server/pull/6194).
 */
const OLDEST_OF_MANY: Version = [2, 11, 0];

/**
 * @param version - As the server says it, e.g. `2.10.27` or `2.11.0-RC.1`.
 * @param replicas - On how many servers the log is kept.
 * @throws {CliffordError} `LOG_SERVER_TOO_OLD`.
 */
export function requireServerVersion(log: string, version: string, replicas = 1): void {
  if (replicas > 1 && !isAtLeast(version, OLDEST_OF_MANY))
    throw new CliffordError(
      `Cannot use ${log} with ${replicas} replicas: its server is NATS ${version}; before ${OLDEST_OF_MANY.join('.')} a cluster ` +
        'whose leader is lost may forget what it has acknowledged',
      {
        code: 'LOG_SERVER_TOO_OLD',
        fix: `Upgrade all servers of the cluster to nats-server ${OLDEST_OF_MANY.join('.')} or newer, or keep the log on one`,
      },
    );
  if (!isAtLeast(version, OLDEST))
    throw new CliffordError(
      `Cannot use ${log}: its server is NATS ${version}; before ${OLDEST.join('.')} a killed server may lose what it has acknowledged`,
      { code: 'LOG_SERVER_TOO_OLD', fix: `Upgrade the server to nats-server ${OLDEST.join('.')} or newer` },
    );
}

function isAtLeast(version: string, oldest: Version): boolean {
  const parts = version.split(/[.+-]/, oldest.length).map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? Number.NaN;
    if (part !== least) return part > least;
  }
  return true;
}
