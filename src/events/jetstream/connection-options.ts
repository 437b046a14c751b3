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
import { readPlainFile } from '../../lib/files/plain-file.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import type { LogAddress, Login } from './log-address.ts';

/** Longest file that proves who one is, once it was read: 64 KiB. */
const MOST_BYTES = 65_536;

/**
 * How the client connects. Reads the files that an address names.
 *
 * @throws {CliffordError} `LOG_LOGIN_INVALID` when one cannot be read, or has no use.
 */
export async function connectionOptions({
  name,
  servers,
  isEncrypted = false,
  tls = {},
  login,
}: LogAddress): Promise<Pick<ConnectionOptions, 'servers' | 'tls' | 'authenticator'>> {
  const read = async (file: string | undefined) => file && (await readText(name, file));
  const [ca, cert, key] = await Promise.all([tls.ca, tls.cert, tls.key].map(read));
  if (ca && tls.ca !== undefined)
    checked(name, tls.ca, 'it has no certificate', () => new X509Certificate(ca));
  if (cert && key && tls.key !== undefined)
    checked(name, tls.key, `it has no key that fits ${tls.cert}`, () => createSecureContext({ cert, key }));
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  // Handed on to Node, though the client's type does not name all that it hands on.
  const encryption = { ...files, checkServerIdentity: checkAgainst(servers) };
  return {
    servers: [...servers],
    ...((isEncrypted || Object.keys(files).length > 0) && { tls: encryption }),
    ...(login && { authenticator: await authenticatorOf(name, login) }),
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

async function authenticatorOf(log: string, login: Login): Promise<Authenticator> {
  if ('user' in login) return usernamePasswordAuthenticator(login.user, login.password);
  if ('token' in login) return tokenAuthenticator(login.token);
  if ('nkeyFile' in login)
    return fileAuthenticator(log, login.nkeyFile, (bytes) =>
      nkeyAuthenticator(Buffer.from(bytes.toString('utf8').trim())),
    );
  return fileAuthenticator(log, login.credentialsFile, credsAuthenticator);
}

/**
 * Proves who one is by a file. It is read again for each connection, since it may be renewed while it is used; what is of no
 * use by then leaves all as it was, as the client would never connect again after an error.
 */
async function fileAuthenticator(
  log: string,
  file: string,
  made: (bytes: Buffer) => Authenticator,
): Promise<Authenticator> {
  let current = made(Buffer.from(await readText(log, file)));
  checked(log, file, 'it has no key that could be used', () => current('nonce'));
  return (nonce) => {
    try {
      const renewed = made(readPlainFile(file, { maxBytes: MOST_BYTES }));
      renewed(nonce);
      current = renewed;
    } catch {
      // It is being written, or is gone.
    }
    return current(nonce);
  };
}

/** What is wrong with a file is said here, and not with each try to connect. */
function checked(log: string, file: string, reason: string, attempt: () => unknown): void {
  try {
    attempt();
  } catch {
    throw invalid(log, file, reason);
  }
}

async function readText(log: string, file: string): Promise<string> {
  const bytes = await readSmallFile(file);
  if (bytes === undefined) throw invalid(log, file, 'there is no such file');
  if ('refused' in bytes) throw invalid(log, file, bytes.refused);
  return bytes.toString('utf8');
}

function invalid(log: string, file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot connect to ${log}: ${file} cannot be used: ${reason}`, {
    code: 'LOG_LOGIN_INVALID',
    fix: 'Name the file that whoever runs the server has given you',
  });
}
