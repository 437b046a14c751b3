/** One line of spec/greetings.csv. */
export type Greeting = { readonly language: string; readonly greeting: string };

/** Reads the specification: a heading, then `language,greeting` per line. */
export function parseGreetings(csv: string): Greeting[] {
  const [, ...lines] = csv.trim().split(/\r?\n/);
  return lines.map((line) => {
    const [language = '', greeting = ''] = line.split(',').map((cell) => cell.trim());
    if (language === '' || greeting === '') throw new Error(`not a language and its greeting: ${line}`);
    return { language, greeting };
  });
}

/** The first language that a person's words name: by its name, or by its greeting. */
export function languageIn(words: string, greetings: readonly Greeting[]): string | undefined {
  const said = words.toLowerCase();
  return greetings.find(
    ({ language, greeting }) => said.includes(language) || said.includes(greeting.toLowerCase()),
  )?.language;
}
