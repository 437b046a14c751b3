import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { requireServerVersion } from '../../src/events/jetstream/server-version.ts';

const folder = join(import.meta.dirname, '../../node_modules/.cache/nats-server');

/** Where `npm run nats:install` puts the server for tests of one, as old as many have it, and the one for tests of a cluster. */
export const installedNats = {
  one: join(folder, 'nats-server'),
  cluster: join(folder, 'cluster/nats-server'),
} as const;

/** Logs that a server is used for. */
export type NatsUse = keyof typeof installedNats;

/** What is to be had where there is no server. */
export const HOW_TO_GET_NATS =
  'no nats-server that is new enough: npm run nats:install, or name one in NATS_SERVER, for clusters in NATS_CLUSTER_SERVER';

const NAMED = { one: 'NATS_SERVER', cluster: 'NATS_CLUSTER_SERVER' } as const;
const REPLICAS = { one: 1, cluster: 3 } as const;

/** A nats-server that is new enough: what the environment names, the one that was installed, the one in `PATH`. */
export function findNatsServer(use: NatsUse = 'one'): string | undefined {
  const candidates = [
    process.env[NAMED[use]] ?? '',
    installedNats[use],
    'nats-server',
    '/usr/sbin/nats-server',
  ];
  return candidates.find((program) => program !== '' && isNewEnough(versionOf(program), use));
}

/** @returns e.g. `2.10.27`; nothing when it is no server. */
function versionOf(program: string): string {
  try {
    const said = execFileSync(program, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return /v(\d+\.\d+\.\d+\S*)/.exec(said)?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Whether a server of this version may keep such logs. */
function isNewEnough(version: string, use: NatsUse): boolean {
  try {
    requireServerVersion('a log', version, REPLICAS[use]);
    return true;
  } catch {
    return false;
  }
}

/** Whether what is found for one server is too old for a cluster. */
export function isOneTooOldForClusters(): boolean {
  const program = findNatsServer();
  return program !== undefined && !isNewEnough(versionOf(program), 'cluster');
}
