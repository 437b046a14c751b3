/** A text as whoever keeps the lines of both sides of a conflict leaves it: without the marks that git has put around them. */
export function withoutMarks(text: string): string {
  const lines = text.split('\n').filter((line) => !/^(<{7}|={7}|>{7})/.test(line));
  return lines.join('\n');
}
