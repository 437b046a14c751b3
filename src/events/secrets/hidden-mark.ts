/** What the log has in place of a secret that it knew, within a text; or a face in place of one that it found. */
export const hiddenMark =
  /\[(?:redacted(?::\w+)?|masked, [\d,]+ characters?|hidden(?: \w+)?: [\d,]+ characters?(?:, [\d,]+ lines)?)\]/;
