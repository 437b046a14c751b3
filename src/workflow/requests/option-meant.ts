/** Index of the option whose words these are; blanks around them do not matter. */
export function optionWithText(options: readonly string[], text: string): number | undefined {
  const words = text.trim();
  const at = options.findIndex((option) => option.trim() === words);
  return at === -1 ? undefined : at;
}

/** Index of the option that a person calls by its number, from 1. Anything but a number calls none. */
export function optionWithNumber(options: readonly string[], text: string): number | undefined {
  if (!/^\s*[1-9]\d{0,3}\s*$/.test(text)) return undefined;
  const at = Number(text) - 1;
  return at < options.length ? at : undefined;
}
