/** The longest line of an agent's output that is read, in UTF-16 units. */
export const MAX_LINE_LENGTH = 8 * 1024 * 1024;

/** What was not read. */
export const LONG_LINE = `a line of more than ${MAX_LINE_LENGTH.toLocaleString('en-US')} characters`;
