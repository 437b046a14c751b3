/** The browser knows every character by its name: the table of the package of this name stays out of the bundle. */
const area = document.createElement('textarea');

/** One entity as the character it stands for: `&amp;` as `&`. What is none stays as it is. */
export function decodeHTMLStrict(entity: string): string {
  // In a text area everything is text, and an entity has no `<` that could end it.
  area.innerHTML = entity;
  return area.value;
}
