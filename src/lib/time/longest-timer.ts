/** Longest time that a timer of Node can wait for, in ms: a longer one would go off at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
