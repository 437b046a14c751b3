import { parseGreetings } from './greetings.ts';
import type { Workspace } from './workspace.ts';

/** Task `module`: the specification becomes a module, which is checked against it. */
export async function writeModule({ say, read, write, run }: Workspace): Promise<string> {
  const greetings = parseGreetings(await read('spec/greetings.csv'));
  await say(`Read spec/greetings.csv: ${greetings.length} languages.`);

  const table = greetings.map(
    ({ language, greeting }) => `  ${JSON.stringify(language)}: ${JSON.stringify(greeting)},`,
  );
  await write(
    'src/greetings.mjs',
    `const greetings = {
${table.join('\n')}
};

export const languages = Object.keys(greetings);

export function greet(name, language) {
  if (!Object.hasOwn(greetings, language)) throw new Error(\`unknown language: \${language}\`);
  return \`\${greetings[language]}, \${name}!\`;
}
`,
  );
  await say('Wrote src/greetings.mjs.');

  const expected = greetings.map(({ greeting }) => `${greeting}, Ada!`).join('\n');
  await write(
    'test/greetings.mjs',
    "import { greet, languages } from '../src/greetings.mjs';\n\n" +
      "for (const language of languages) console.log(greet('Ada', language));\n",
  );
  const printed = await run('test/greetings.mjs');
  if (printed !== expected) throw new Error(`the module says:\n${printed}\nexpected:\n${expected}`);
  await say(`Checked it: ${printed.replaceAll('\n', ' ')}`);
  return `src/greetings.mjs greets in ${greetings.length} languages, as specified`;
}
