import { resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { LogAddress, Login } from '../../events/jetstream/log-address.ts';
import type { LogConfig } from '../config/log-keys.ts';

/** Where it is said how a server lets one in. */
export type LoginPlace = {
  /** The project's root, absolute: files are named from there. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<LogConfig, 'credentials' | 'nkey' | 'ca' | 'cert' | 'key'>;
  /** Whether the server is one that `--log` or `CLIFFORD_LOG` names. */
  readonly isNamedHere: boolean;
};

/**
 * How a server lets one in: by a file of credentials or of an nkey, which prove themselves without being told; or by a
 * password or a token, from the environment alone. Those the server learns: it has to be one that the environment
 * names, too, since `clifford.json` may come from a stranger.
 *
 * @throws {CliffordError} `LOG_LOGIN_UNSAFE`.
 */
export function logLogin({ root, env, config, isNamedHere }: LoginPlace): Pick<LogAddress, 'login' | 'tls'> {
  const file = (variable: string, key: keyof LoginPlace['config']) => {
    const named = env[variable] || config[key];
    return named ? resolve(root, named) : undefined;
  };
  const tls = {
    ca: file('CLIFFORD_LOG_CA', 'ca'),
    cert: file('CLIFFORD_LOG_CERT', 'cert'),
    key: file('CLIFFORD_LOG_KEY', 'key'),
  };
  return { tls, login: loginOf() };

  function loginOf(): Login | undefined {
    const { CLIFFORD_LOG_USER: user, CLIFFORD_LOG_PASSWORD: password, CLIFFORD_LOG_TOKEN: token } = env;
    const told = token ? { token } : user && password ? { user, password } : undefined;
    if (told && !isNamedHere) throw unsafe(token ? 'CLIFFORD_LOG_TOKEN' : 'CLIFFORD_LOG_PASSWORD');
    if (told) return told;
    const credentialsFile = file('CLIFFORD_LOG_CREDENTIALS', 'credentials');
    if (credentialsFile) return { credentialsFile };
    const nkeyFile = file('CLIFFORD_LOG_NKEY', 'nkey');
    return nkeyFile ? { nkeyFile } : undefined;
  }
}

function unsafe(variable: string): CliffordError {
  return new CliffordError(
    `Cannot use ${variable}: only clifford.json names the server, which would be told it, and that file may come from somebody else`,
    {
      code: 'LOG_LOGIN_UNSAFE',
      fix: 'Name the server with --log or CLIFFORD_LOG, too, or use a file of credentials or of an nkey',
    },
  );
}
