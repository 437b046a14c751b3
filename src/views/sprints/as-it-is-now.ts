/** Said behind the file of a task where its past is looked at: the log has the name of the file, and not its text. */
export const asItIsNow = ', as it is now: what it said then is not recorded';
