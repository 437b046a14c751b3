/** The variable that names the log, as `--log` does. */
export const LOG_VARIABLE = 'CLIFFORD_LOG';
