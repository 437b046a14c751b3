/** What makes a terminal put a text on its clipboard (OSC 52), where its settings allow that. */
export function clipboardText(text: string): string {
  return `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}
