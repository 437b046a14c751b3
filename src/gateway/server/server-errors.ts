import { CliffordError, type Recovery } from '../../errors.ts';

/** A server that cannot be started or reached. `why` is a clause: `it exited with code 3`. */
export function serverUnreachable(id: string, why: string, cause?: unknown): CliffordError {
  return serverError(
    `Cannot reach the MCP server ${id}: ${why}`,
    'SERVER_UNREACHABLE',
    `Check its entry in mcp.json with \`clifford mcp doctor\`; what a program writes to stderr is in .clifford/mcp/${id}.log`,
    'retry',
    cause,
  );
}

/** A server that went away while it worked on a call. Whether the call took effect is not known. */
export function serverLost(id: string, what: string, why: string): CliffordError {
  return serverError(
    `Cannot finish ${what} of the MCP server ${id}: ${why}`,
    'SERVER_LOST',
    'It is started again: check whether the call took effect before you repeat it',
    'retry',
  );
}

/** A call that took longer than it may. */
export function callTimedOut(id: string, what: string, limitMs: number): CliffordError {
  return serverError(
    `Cannot wait longer for ${what} of the MCP server ${id}: it took more than ${limitMs / 1_000} s`,
    'CALL_TIMED_OUT',
    `Ask for less at once, or raise "timeout" of ${id} in mcp.json`,
    'retry',
  );
}

/** A call that whoever made it does not want any more. */
export function callCancelled(id: string, what: string): CliffordError {
  return serverError(
    `Cannot finish ${what} of the MCP server ${id}: the call was cancelled`,
    'CALL_CANCELLED',
    'Call it again if it is still needed',
    'retry',
  );
}

/** A JSON-RPC error of the server itself; `cause` has its code and data. */
export function callRefused(id: string, what: string, why: string, cause: unknown): CliffordError {
  return serverError(
    `Cannot run ${what} of the MCP server ${id}: ${why}`,
    'CALL_REFUSED',
    'Change the request as the server says',
    'fix-input',
    cause,
  );
}

/** A server nobody connected. */
export function serverUnknown(id: string): CliffordError {
  return serverError(
    `Cannot call the MCP server ${id}: no server of this name is connected`,
    'SERVER_UNKNOWN',
    'See `clifford mcp list` for the servers there are',
    'fix-input',
  );
}

function serverError(
  message: string,
  code: string,
  fix: string,
  recovery: Recovery,
  cause?: unknown,
): CliffordError {
  return new CliffordError(message, { code, fix, recovery, cause });
}
