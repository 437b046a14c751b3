/** Stands beside the answer to what asks for a secret, before it is given. */
export const SECRET_ASKED_TEXT = 'A secret is asked for, and answers are stored in the log';
