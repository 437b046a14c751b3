import type { CliffordClient, SprintContext } from './clifford-client.ts';
import { languageIn, parseGreetings } from './greetings.ts';
import type { Workspace } from './workspace.ts';

/** Task `program`: needs a decision that only a human can take. */
export async function writeProgram(
  { say, read, write, run }: Workspace,
  clifford: CliffordClient,
  { guidances }: SprintContext,
): Promise<string> {
  const greetings = parseGreetings(await read('spec/greetings.csv'));
  const languages = greetings.map(({ language }) => language);
  await say('The specification does not say which language is the default.');

  // An earlier attempt may have asked already: its answer comes as guidance, nobody is asked twice.
  const decision = guidances.at(-1)?.humanResponse ?? (await ask(clifford, say, languages));
  const language = languageIn(decision, greetings) ?? 'english';
  await say(`The answer was: ${decision}. The default is ${language}.`);

  await write(
    'spec/decisions.md',
    `# Decisions\n\n- Default language: ${language} (the human said: ${decision})\n`,
  );
  await write(
    'src/hello.mjs',
    `import { greet } from './greetings.mjs';

const [name = 'world', language = ${JSON.stringify(language)}] = process.argv.slice(2);
console.log(greet(name, language));
`,
  );
  const printed = await run('src/hello.mjs', 'Ada');
  await say(`Wrote src/hello.mjs. It says: ${printed}`);
  return `src/hello.mjs greets in ${language} unless told otherwise`;
}

async function ask(
  clifford: CliffordClient,
  say: Workspace['say'],
  languages: readonly string[],
): Promise<string> {
  await say('Asking the human, and waiting for the answer …');
  return clifford.askClarification({
    question: 'Which language should be the default?',
    options: [...languages],
    context: 'The specification does not name a default, and it is hard to change once people rely on it.',
  });
}
