import type { ServedLog } from './choose-log.ts';
import { LOG_VARIABLE } from './log-variable.ts';

/**
 * The variables that say which log it is to programs that are started in other folders: files of the login are named absolutely. What is
 * secret stands in the environment already.
 */
export function logEnvironment({ name, login, tls = {} }: ServedLog): Record<string, string> {
  const files = {
    CLIFFORD_LOG_CREDENTIALS: login && 'credentialsFile' in login ? login.credentialsFile : undefined,
    CLIFFORD_LOG_NKEY: login && 'nkeyFile' in login ? login.nkeyFile : undefined,
    CLIFFORD_LOG_CA: tls.ca,
    CLIFFORD_LOG_CERT: tls.cert,
    CLIFFORD_LOG_KEY: tls.key,
  };
  const named = Object.entries(files).flatMap(([key, file]) => (file === undefined ? [] : [[key, file]]));
  return { [LOG_VARIABLE]: name, ...Object.fromEntries(named) };
}
