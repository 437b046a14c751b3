/**
 * How long a text may be that is taken apart, in UTF-16 units. Half of what Linux hands a program as one argument, and
 * far more than a person reads before answering.
 */
export const MAX_TEXT_UNITS = 65_536;

/** How much is taken apart for one text, with what is inside it, in UTF-16 units. */
export const MAX_ALL_UNITS = 4 * MAX_TEXT_UNITS;

/**
 * The parser reads what follows an opened substitution again for each one around it: their number times the length of
 * the text is what it may cost. That many take less than 0.3 s.
 */
export const MAX_OPENED_UNITS = 2_097_152;

/** How deep texts may be in each other: `bash -c "bash -c '…'"`. */
export const MAX_TEXT_DEPTH = 6;

/** How many programs may start each other in one command: `sudo env nice …`. */
export const MAX_WRAPPERS = 16;

/** How many different commands are judged, and how many guesses besides. A rule costs up to 0.1 ms for each. */
export const MAX_COMMANDS = 1_000;
