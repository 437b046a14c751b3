/** What the log has in place of a secret that it knew, within a text. */
export const hiddenMark = /\[(?:redacted(?::\w+)?|hidden(?: \w+)?: [\d,]+ characters?(?:, [\d,]+ lines)?)\]/;
