import type { LogAddress } from '../../events/jetstream/log-address.ts';
import { configFiles, type ConfigPlace } from '../config/config-place.ts';
import { configError } from '../config/config-problem.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import type { LogConfig } from '../config/log-keys.ts';
import { logLogin } from './log-login.ts';
import { parseLogUrl } from './log-url.ts';
import { LOG_VARIABLE } from './log-variable.ts';
import { assertTrusted } from './trusted-server.ts';

/** A log on a server. */
export type ServedLog = LogAddress & {
  /** On how many servers of a cluster it is kept, where it is made. */
  readonly replicas: number;
  /** Whether it is mirrored into the project. */
  readonly isMirrored: boolean;
};

/**
 * Where the log of a project is: on the server that `CLIFFORD_LOG` names (as `--log` does), else the one of `log.url` in
 * the project's `clifford.json`. `undefined`: in the file.
 *
 * @throws {CliffordError} `LOG_URL_INVALID`, `LOG_LOGIN_UNSAFE`, `LOG_SERVER_UNTRUSTED`; `CONFIG_INVALID` when a mistake leaves open what the
 *   configuration says of the log: a log in the wrong place would be two halves.
 */
export async function chooseLog(place: ConfigPlace): Promise<ServedLog | undefined> {
  const named = place.env[LOG_VARIABLE] || undefined;
  if (named === undefined && !(await mayNameLog(place))) return undefined;
  // Most projects name none: what reads configurations is loaded when one does.
  const { readConfig } = await import('../config/load-config.ts');
  const { config, lost, origins } = await readConfig(place);
  const problems = lost.filter(({ path }) => path === undefined || path[0] === 'log');
  if (problems.length > 0) throw configError(problems);
  // One's own file is for all projects, and a log for one.
  const url = named ?? (origins.get('log.url')?.rank === 0 ? config.log.url : undefined);
  if (url === undefined) return undefined;
  const log = served(url, place, config.log, named !== undefined);
  const isOwn = origins.get('log.servers')?.rank !== 0;
  if (named === undefined) assertTrusted(log, isOwn ? config.log.servers : []);
  return log;
}

/**
 * The log at a URL that somebody has just typed, with the login that environment and configuration know.
 *
 * @throws {CliffordError} `LOG_URL_INVALID`.
 */
export async function namedLog(url: string, place: ConfigPlace): Promise<ServedLog> {
  const { loadConfig } = await import('../config/load-config.ts');
  const { log } = await loadConfig(place);
  return served(url, place, log, true);
}

function served(url: string, { root, env }: ConfigPlace, config: LogConfig, isNamedHere: boolean): ServedLog {
  return {
    ...parseLogUrl(url),
    ...logLogin({ root, env, config, isNamedHere }),
    replicas: config.replicas,
    isMirrored: config.mirror,
  };
}

/** Whether a configuration file has a key of that name anywhere. */
async function mayNameLog(place: ConfigPlace): Promise<boolean> {
  for (const file of configFiles(place)) {
    const bytes = await readSmallFile(file);
    if (bytes !== undefined && !('refused' in bytes) && bytes.includes('"log"')) return true;
  }
  return false;
}
