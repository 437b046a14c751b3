import { errors } from '@nats-io/transport-node';
import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { codeOf } from '../../lib/system-error.ts';
import { asLogError, unreachable } from './jetstream-errors.ts';
import type { LogAddress } from './log-address.ts';

/**
 * Why no connection was made, as one of our errors: `LOG_UNREACHABLE`, `LOG_TLS_FAILED`, `LOG_FORBIDDEN`. Anything else
 * stays what it is.
 */
export function connectError({ name, isEncrypted = false, tls = {} }: LogAddress, error: unknown): unknown {
  const said = `Cannot connect to ${name}: ${messageOf(error)}`;
  if (isNoGreeting(error))
    return new CliffordError(`Cannot connect to ${name}: what answers there is no NATS server`, {
      code: 'LOG_UNREACHABLE',
      fix: 'Name the address at which a NATS server waits for clients, by default port 4222',
      cause: error,
    });
  // A name that nobody knows, a network that is away: the client hands these on as the system says them.
  if (error instanceof Error && 'syscall' in error) return unreachable(name, said, error);
  if (isEncrypted && error instanceof errors.ConnectionError && error.message.includes("'tls'"))
    return tlsFailed(
      said,
      'Have the server encrypt its connections, or write nats:// in place of tls://',
      error,
    );
  const code = codeOf(error);
  // Behind it is advice on how to start Node.
  if (code !== undefined) return tlsFailed(said.replace(/;.*/s, ''), whatToDo(code, isEncrypted), error);
  if (error instanceof errors.TimeoutError && isEncrypted && tls.cert === undefined)
    // A server that wants a certificate, and gets none, does not say so.
    return unreachable(
      name,
      `Cannot connect to ${name}: the server does not answer, as one that asks for a certificate of yours: none is named`,
      error,
    );
  return asLogError(name, 'connect to', error);
}

/** By what Node says of a certificate. */
function whatToDo(code: string, isEncrypted: boolean): string {
  if (code === 'CERT_HAS_EXPIRED') return 'Have the server given a new certificate: this one has expired';
  if (code.startsWith('ERR_SSL'))
    return 'Use a certificate that the server takes, as cert and key of log in clifford.json';
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Name the certificate of the authority that signed it, as ca of log in clifford.json or as CLIFFORD_LOG_CA';
  const named = 'Name the server as its certificate does, or have it given one with this name';
  return isEncrypted ? named : `${named}; an address with tls:// in place of nats://`;
}

/** A server begins with what it is, in JSON. The client has no error of its own for other beginnings. */
function isNoGreeting(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    (error instanceof Error && error.message === 'unexpected response from server')
  );
}

function tlsFailed(message: string, fix: string, cause: unknown): CliffordError {
  return new CliffordError(message, { code: 'LOG_TLS_FAILED', fix, cause });
}
