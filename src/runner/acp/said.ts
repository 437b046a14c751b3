/** So much is kept of what an agent says in a turn, in UTF-16 units. */
const MAX_SAID = 4_000;

/** What an agent has said in its turn, with this after it: the last of it. */
export function saidAfter(before: string, text: string): string {
  return `${before}${text}`.slice(-MAX_SAID);
}
