import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { OutcomeUnknownError } from '../log/outcome-unknown.ts';
import type { UnreadableLine } from '../line/chain-reader.ts';
import type { StoredMessage } from './message.ts';

/**
 * What an error of the server, or of the way to it, means for a request.
 *
 * - `no-stream`: there is no such stream.
 * - `outrun`: another message came to the subject first, or this one did before.
 * - `unavailable`: nobody took it; in a moment somebody may.
 * - `unanswered`: nobody knows whether it was done.
 * - `closed`, `forbidden`, `refused`: it is of no use to try again.
 */
export type Trouble =
  | 'no-stream'
  | 'outrun'
  | 'unavailable'
  | 'unanswered'
  | 'closed'
  | 'forbidden'
  | 'refused';

const SERVICE_UNAVAILABLE = 503;
/** Too few servers for a new stream: there are no more, or some are away just now. */
const NO_SUITABLE_PEERS = 10005;
/** The same message, sent by somebody else, is on its way to the servers that keep the stream. */
const DUPLICATE_UNDER_WAY = 10158;

/** What an error of the client means; `undefined` for what none of its errors is. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof JetStreamApiError) return apiTrouble(error);
  if (error instanceof errors.ClosedConnectionError || error instanceof errors.DrainingConnectionError)
    return 'closed';
  if (error instanceof errors.PermissionViolationError || isLoginRefusal(error)) return 'forbidden';
  if (error instanceof errors.RequestError) {
    if (error.isNoResponders()) return 'unavailable';
    return error.cause === undefined ? 'unanswered' : (troubleOf(error.cause) ?? 'unanswered');
  }
  if (error instanceof errors.TimeoutError || error instanceof errors.ConnectionError) return 'unanswered';
  // Classes that the packages do not export.
  if (error instanceof Error && error.name === 'JetStreamNotEnabled') return 'unavailable';
  if (error instanceof Error && error.name.startsWith('JetStream')) return 'unanswered';
  return undefined;
}

function apiTrouble({ code, status, message }: JetStreamApiError): Trouble {
  if (code === NO_SUITABLE_PEERS && message.includes('offline')) return 'unavailable';
  switch (code) {
    case JetStreamApiCodes.StreamNotFound:
      return 'no-stream';
    case JetStreamApiCodes.StreamWrongLastSequence:
    case JetStreamApiCodes.StreamWrongLastSequenceUnknown:
      return 'outrun';
    case DUPLICATE_UNDER_WAY:
      return 'unanswered';
    case JetStreamApiCodes.JetStreamNotEnabledForAccount:
      return 'forbidden';
    default:
      // Where several servers keep the stream, one that gave up may have passed it on.
      return status === SERVICE_UNAVAILABLE ? 'unanswered' : 'refused';
  }
}

/** Whether the same may work in a moment. */
export function isPassing(trouble: Trouble | undefined): boolean {
  return trouble === 'unavailable' || trouble === 'unanswered';
}

/** An error of the client as one of ours. `doing`: e.g. `read`. Anything else stays what it is. */
export function asLogError(log: string, doing: string, error: unknown): unknown {
  const reason = `Cannot ${doing} ${log}: ${reasonOf(error)}`;
  switch (troubleOf(error)) {
    case undefined:
      return error;
    case 'closed':
      return logClosed(log);
    case 'forbidden':
      return new CliffordError(reason, {
        code: 'LOG_FORBIDDEN',
        fix: 'Use the credentials of a user that may do this, or have its permissions and its account changed',
        cause: error,
      });
    case 'outrun':
      return new CliffordError(`Cannot ${doing} ${log}: other writers were always faster`, {
        code: 'LOG_BUSY',
        fix: 'Find out who writes so much to this stream, then try again',
        recovery: 'retry',
        cause: error,
      });
    case 'refused':
      return new CliffordError(reason, {
        code: 'LOG_REFUSED',
        fix: "Look at the stream and its limits with the server's own tools",
        recovery: 'retry',
        cause: error,
      });
    case 'unavailable':
      return unreachable(log, reason, error, START_JETSTREAM);
    default:
      return unreachable(log, reason, error);
  }
}

/** What to do where nobody takes a request. */
export const START_JETSTREAM =
  'Start it with JetStream (nats-server -js, or jetstream {} in its configuration), or bring back the servers of its cluster that have it';

/** The server cannot be asked. Nothing was changed. */
export function unreachable(
  log: string,
  message = `Cannot read ${log}: the connection is lost`,
  cause?: unknown,
  fix = 'Bring the server back, or the way to it, then try again',
): CliffordError {
  return new CliffordError(message, {
    code: 'LOG_UNREACHABLE',
    fix,
    recovery: 'retry',
    cause,
  });
}

/**
 * The server does not let one in any more whom it had let in. It may again, once the login is renewed.
 *
 * @param trouble - Why the file with the login was of no use when it was read last.
 */
export function loginRefused(log: string, doing: string, cause: Error, trouble?: string): CliffordError {
  const said = `the server lets this login in no longer: ${messageOf(cause)}`;
  return new CliffordError(
    `Cannot ${doing} ${log}: ${trouble === undefined ? said : `${said}; ${trouble}`}`,
    {
      code: 'LOG_UNREACHABLE',
      fix: 'Renew the file of credentials, which is read again, or have the user let in again',
      recovery: 'retry',
      cause,
    },
  );
}

/** Whether the server refuses who asks, and not only what is asked. */
export function isLoginRefusal(error: unknown): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}

function reasonOf(error: unknown): string {
  switch (troubleOf(error)) {
    case 'unavailable':
      return 'the server has no JetStream, or too few of its cluster are there just now';
    case 'unanswered':
      return error instanceof errors.TimeoutError ? 'the server does not answer' : messageOf(error);
    default:
      return messageOf(error);
  }
}

/** Nobody knows whether the events of an append are in the log. */
export function appendUnknown(log: string, stream: string, cause: unknown): CliffordError {
  return new OutcomeUnknownError(
    `Cannot append to stream ${stream} of ${log}: the server was given the events and did not confirm them`,
    {
      code: 'LOG_UNCONFIRMED',
      fix: 'Bring the server back, or the way to it, then append the same events again',
      recovery: 'retry',
      cause,
    },
  );
}

/** An append is longer than a message may be. */
export function appendTooLong(
  log: string,
  append: { readonly stream: string; readonly bytes: number },
  maxBytes: number,
): CliffordError {
  return new CliffordError(
    `Cannot append to stream ${append.stream} of ${log}: the events have ${append.bytes} bytes, ` +
      `the server takes ${maxBytes} in one message`,
    { code: 'APPEND_TOO_LONG', fix: 'Raise max_payload in the configuration of the server, e.g. to 8MB' },
  );
}

/** The log was closed before. */
export function logClosed(log: string): CliffordError {
  return new CliffordError(`Cannot use ${log}: the log was closed`, {
    code: 'LOG_CLOSED',
    fix: 'Open the log again',
    recovery: 'reopen',
  });
}

/** A checkpoint that is not of this log, or of a part of it that is no longer there. */
export function checkpointStale(log: string, where: string, reason: string): CliffordError {
  return new CliffordError(`Cannot continue reading ${log} after ${where}: ${reason}`, {
    code: 'CHECKPOINT_STALE',
    fix: 'Read the log from the beginning',
    recovery: 'retry',
  });
}

/** A message with a line that cannot be read. */
export function unreadableMessage(
  log: string,
  { seq, subject }: StoredMessage,
  { message: reason, isNewer }: UnreadableLine,
): CliffordError {
  if (isNewer)
    return new CliffordError(`${reason} (${log}, message ${seq})`, {
      code: 'LOG_NEWER',
      fix: 'Upgrade clifford, then try again',
    });
  return new CliffordError(`Cannot read ${log}: message ${seq} (${subject}) is damaged: ${reason}`, {
    code: 'LOG_CORRUPT',
    fix: 'Restore the stream from a backup; nothing was removed, so what can be saved of it is still there',
  });
}
