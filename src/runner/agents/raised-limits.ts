/** How long a call of one of Clifford's tools may last, as agent CLIs are told, in ms. A timer of 2^31 ms fires at once. */
export const CALL_LIMIT_MS = 86_400_000;

/** How long an agent CLI may wait for Clifford's server to start, in ms. */
export const START_LIMIT_MS = 60_000;

/**
 * How long a call waits for a human at a client whose limit progress does not move, in ms: an hour less than
 * it may. The server knows the limits that such clients have by themselves, and has to be told of the raised one.
 */
const WAIT_LIMIT_MS = CALL_LIMIT_MS - 3_600_000;

/** What the server is told of a limit that progress does not move: to answer in time. */
export const BELOW_LIMIT = { CLIFFORD_WAIT_LIMIT_MS: String(WAIT_LIMIT_MS) };
