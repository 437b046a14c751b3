import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  type ConnectionOptions as TlsConnectionOptions,
} from 'node:tls';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type ConnectionOptions,
} from '@nats-io/transport-node';
import { CliffordError } from '../../errors.ts';
import { readSmallFileAtOnce, type Refused } from '../../lib/files/small-file.ts';
import type { LogAddress, Login } from './log-address.ts';

/** Who one is, for the server. */
type ShownLogin = {
  readonly authenticator: Authenticator;
  /** Why the file that proves it was of no use when it was read last: what it said before is shown. */
  readonly trouble?: () => string | undefined;
};

/** How the client connects. */
type Connecting = {
  readonly options: Pick<ConnectionOptions, 'servers' | 'tls' | 'authenticator'>;
  /** As {@link ShownLogin} has it. */
  readonly loginTrouble: () => string | undefined;
};

/**
 * How the client connects. Reads the files that an address names.
 *
 * @throws {CliffordError} `LOG_LOGIN_INVALID` when one cannot be read, or has no use.
 */
export function connectionOptions({
  name,
  servers,
  isEncrypted = false,
  tls = {},
  login,
}: LogAddress): Connecting {
  const read = (file: string | undefined) => file && readText(name, file);
  const [ca, cert, key] = [tls.ca, tls.cert, tls.key].map(read);
  if (ca && tls.ca !== undefined)
    checked(name, tls.ca, 'it has no certificate', () => new X509Certificate(ca));
  if (cert && key && tls.key !== undefined)
    checked(name, tls.key, `it has no key that fits ${tls.cert}`, () => createSecureContext({ cert, key }));
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  // Handed on to Node, though the client's type does not name all that it hands on.
  const encryption = { ...files, checkServerIdentity: checkAgainst(servers) };
  const shown = login && shownLogin(name, login);
  return {
    options: {
      servers: [...servers],
      ...((isEncrypted || Object.keys(files).length > 0) && { tls: encryption }),
      ...(shown && { authenticator: shown.authenticator }),
    },
    loginTrouble: () => shown?.trouble?.(),
  };
}

/**
 * Checks a certificate against what was named. Connected to an IP address, the client has it checked against `localhost`,
 * and so each certificate for that would do: https://github.com/nats-io/nats.js/issues/303
 */
function checkAgainst(servers: readonly string[]): NonNullable<TlsConnectionOptions['checkServerIdentity']> {
  const hosts = servers.map((server) => new URL(`http://${server}`).hostname.replaceAll(/[[\]]/g, ''));
  const addresses = hosts.filter((host) => isIP(host) !== 0);
  return (host, certificate) => {
    if (host !== 'localhost' || addresses.length === 0) return checkServerIdentity(host, certificate);
    const expected = [...addresses, ...hosts.filter((named) => named === host)];
    const refusals = expected.map((named) => checkServerIdentity(named, certificate));
    return refusals.includes(undefined) ? undefined : refusals[0];
  };
}

function shownLogin(log: string, login: Login): ShownLogin {
  if ('user' in login) return { authenticator: usernamePasswordAuthenticator(login.user, login.password) };
  if ('token' in login) return { authenticator: tokenAuthenticator(login.token) };
  if ('nkeyFile' in login)
    return fileLogin(log, login.nkeyFile, (bytes) =>
      nkeyAuthenticator(Buffer.from(bytes.toString('utf8').trim())),
    );
  return fileLogin(log, login.credentialsFile, credsAuthenticator);
}

/**
 * Proves who one is by a file. It is read again for each connection, since it may be renewed while it is used; what is of no
 * use by then leaves all as it was, as the client would never connect again after an error.
 */
function fileLogin(log: string, file: string, made: (bytes: Buffer) => Authenticator): ShownLogin {
  const first = usable(file, made);
  if ('refused' in first) throw invalid(log, file, first.refused);
  let current = first;
  let trouble: string | undefined;
  return {
    authenticator: (nonce) => {
      const renewed = usable(file, made, nonce);
      trouble = 'refused' in renewed ? `${file} cannot be used: ${renewed.refused}` : undefined;
      if (!('refused' in renewed)) current = renewed;
      return current(nonce);
    },
    trouble: () => trouble,
  };
}

/** What a file proves now; why it is of no use, e.g. while it is being written. */
function usable(
  file: string,
  made: (bytes: Buffer) => Authenticator,
  nonce = 'nonce',
): Authenticator | Refused {
  const bytes = readHere(file);
  if ('refused' in bytes) return bytes;
  try {
    const authenticator = made(bytes);
    authenticator(nonce);
    return authenticator;
  } catch {
    return { refused: 'it has no key that could be used' };
  }
}

/** What is wrong with a file is said here, and not with each try to connect. */
function checked(log: string, file: string, reason: string, attempt: () => unknown): void {
  try {
    attempt();
  } catch {
    throw invalid(log, file, reason);
  }
}

function readText(log: string, file: string): string {
  const bytes = readHere(file);
  if ('refused' in bytes) throw invalid(log, file, bytes.refused);
  return bytes.toString('utf8');
}

function readHere(file: string): Buffer | Refused {
  return readSmallFileAtOnce(file) ?? { refused: 'there is no such file' };
}

function invalid(log: string, file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot connect to ${log}: ${file} cannot be used: ${reason}`, {
    code: 'LOG_LOGIN_INVALID',
    fix: 'Name the file that whoever runs the server has given you',
  });
}
