/** The stream of questions asked outside any sprint. */
export const ADHOC_STREAM = 'adhoc';
