import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Where `npm run nats:install` puts the server. */
export const installedNats = join(import.meta.dirname, '../../node_modules/.cache/nats-server/nats-server');

/** What is to be had where there is no server. */
export const HOW_TO_GET_NATS =
  'no nats-server 2.10.23 or newer: npm run nats:install, or name one in NATS_SERVER';

/** A nats-server that is new enough: what `NATS_SERVER` names, the one that was installed, the one in `PATH`. */
export function findNatsServer(): string | undefined {
  const candidates = [
    process.env['NATS_SERVER'] ?? '',
    installedNats,
    'nats-server',
    '/usr/sbin/nats-server',
  ];
  return candidates.find((program) => program !== '' && isNewEnough(versionOf(program)));
}

function versionOf(program: string): string {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/** `version`: e.g. `nats-server: v2.10.27`. */
function isNewEnough(version: string): boolean {
  const [, major, minor, patch] = (/v(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return false;
  return major > 2 || (major === 2 && (minor > 10 || (minor === 10 && patch >= 23)));
}
