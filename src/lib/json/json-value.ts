/** The value that a text of others is as JSON. `undefined`, which no JSON stands for: it is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
