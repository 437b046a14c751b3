/** Code between two fences, the last of which may be cut off. */
const FENCED = /^ {0,3}(?=(`{3,}|~{3,}))\1[^`\n]*\n([^]*?)(?:\n {0,3}\1[`~]*[ \t]*$|(?![^]))/gm;

/** Markdown without the lines that say where code begins and ends: where nothing else is made of it. */
export function unfenced(markdown: string): string {
  return markdown.replaceAll(FENCED, '$2');
}
