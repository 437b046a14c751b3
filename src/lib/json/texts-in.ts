/** Every text of a JSON value, names of fields too, however deep; each once. */
export function textsIn(value: unknown): Set<string> {
  const texts = new Set<string>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.add(next);
    else if (typeof next === 'object' && next !== null)
      for (const [name, item] of Object.entries(next)) waiting.push(name, item);
  }
  return texts;
}
