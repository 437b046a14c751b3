/** Characters that are kept of a line that an agent wrote: more than the widest terminal and many rows. */
export const MAX_LINE_LENGTH = 4_000;
