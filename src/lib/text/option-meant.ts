/**
 * Index of the option whose words these are; blanks around them do not matter, nor does the case, unless two options
 * differ in it alone.
 */
export function optionWithText(options: readonly string[], text: string): number | undefined {
  const called = optionCalled(options, text);
  if (called !== undefined) return called;
  const folded = text.trim().toLowerCase();
  const alike = [...options.keys()].filter((index) => options[index]?.trim().toLowerCase() === folded);
  return alike.length === 1 ? alike[0] : undefined;
}

/** The same, letter by letter. */
function optionCalled(options: readonly string[], text: string): number | undefined {
  const at = options.findIndex((option) => option.trim() === text.trim());
  return at === -1 ? undefined : at;
}

/** Index of the option that a person calls by its number, from 1. Anything but a number calls none. */
export function optionWithNumber(options: readonly string[], text: string): number | undefined {
  if (!/^\s*[1-9]\d{0,3}\s*$/.test(text)) return undefined;
  const at = Number(text) - 1;
  return at < options.length ? at : undefined;
}

/** The option that a person means who types into an answer: that with these words, or else with this number. */
export function optionTyped(
  options: readonly string[],
  text: string,
): { readonly option: number; readonly response: string } | undefined {
  const option =
    optionCalled(options, text) ?? optionWithNumber(options, text) ?? optionWithText(options, text);
  const response = option === undefined ? undefined : options[option];
  return option === undefined || response === undefined ? undefined : { option, response };
}

/**
 * `1, 3`: the options of these numbers, unless they are the words of options, or of one; none where there is anything else, no such option, or some are words of
 * one and the place of another: then nobody knows which.
 */
export function optionsWithNumbers(options: readonly string[], text: string): number[] {
  const whole = optionCalled(options, text);
  if (whole !== undefined) return [whole];
  const written = numbersListed(text);
  const places = written.map((number) => Number(number) - 1);
  const called = written.map((number) => optionCalled(options, number));
  const words = called.filter((at) => at !== undefined);
  if (words.length === written.length) return known(options, words);
  return called.some((at, nth) => at !== undefined && at !== places[nth]) ? [] : known(options, places);
}

/** The numbers of a text that has nothing else, as they are written: `01` may be what an option is called. */
export function numbersListed(text: string): readonly string[] {
  return /^\s*\d+(?:[\s,]+\d+)*[\s,]*$/.test(text) ? (text.match(/\d+/g) ?? []) : [];
}

/** `1, 3` or `Login, Search`: the options that a person means who types several; none where anything else is among them. */
export function optionsTyped(options: readonly string[], text: string): number[] {
  const whole = optionCalled(options, text);
  if (whole !== undefined) return [whole];
  if (numbersListed(text).length > 0) return optionsWithNumbers(options, text);
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return known(
    options,
    parts.map((part) => optionTyped(options, part)?.option ?? -1),
  );
}

function known(options: readonly string[], found: readonly number[]): number[] {
  return found.every((at) => options[at] !== undefined) ? [...new Set(found)].toSorted((a, b) => a - b) : [];
}

/** Index of the option that a person calls by a letter, from a, in any case. Anything else calls none. */
export function optionWithLetter(options: readonly string[], text: string): number | undefined {
  const at = 'abcdefghijklmnopqrstuvwxyz'.indexOf(text.trim().toLowerCase());
  return text.trim().length === 1 && at !== -1 && at < options.length ? at : undefined;
}
