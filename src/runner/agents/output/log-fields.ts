/** `name=value`, where the value is one word or a JSON string. */
const FIELD = /(?:^|\s)([\w.-]+)=("(?:[^"\\]|\\.)*"|\S*)/g;

/** The fields of a log line in the form `level=WARN message="server unavailable" key=clifford`. */
export function logFields(line: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...line.matchAll(FIELD)].map(([, name = '', value = '']): [string, string] => [name, unquoted(value)]),
  );
}

function unquoted(value: string): string {
  // One that is never closed is a word like others.
  if (!/^".*"$/s.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch (error) {
    // Escapes of another language.
    if (error instanceof SyntaxError) return value.slice(1, -1);
    throw error;
  }
}
