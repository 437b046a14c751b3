import {
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type ConnectionOptions,
} from '@nats-io/transport-node';
import { CliffordError } from '../../errors.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import type { LogAddress, Login } from './log-address.ts';

/**
 * How the client connects. Reads the files that an address names.
 *
 * @throws {CliffordError} `LOG_LOGIN_INVALID` when one cannot be read.
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
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  return {
    servers: [...servers],
    ...((isEncrypted || Object.keys(files).length > 0) && { tls: files }),
    ...(login && { authenticator: await authenticatorOf(name, login) }),
  };
}

async function authenticatorOf(log: string, login: Login): Promise<Authenticator> {
  if ('user' in login) return usernamePasswordAuthenticator(login.user, login.password);
  if ('token' in login) return tokenAuthenticator(login.token);
  if ('nkeyFile' in login) {
    const seed = (await readText(log, login.nkeyFile)).trim();
    return checked(log, login.nkeyFile, nkeyAuthenticator(Buffer.from(seed)));
  }
  const credentials = await readText(log, login.credentialsFile);
  return checked(log, login.credentialsFile, credsAuthenticator(Buffer.from(credentials)));
}

/** What is wrong with a file of credentials is said here, and not with each try to connect. */
function checked(log: string, file: string, authenticator: Authenticator): Authenticator {
  try {
    authenticator('nonce');
    return authenticator;
  } catch {
    throw invalid(log, file, 'it has no key that could be used');
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
