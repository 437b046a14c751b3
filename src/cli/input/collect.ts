/** What an option that may be repeated was given, with what it was given before. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
