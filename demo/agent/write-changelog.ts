import type { CliffordClient } from './clifford-client.ts';
import type { Workspace } from './workspace.ts';

/** What the task asks for. */
const VERSION = '1.0.0';

const files = ['src/greetings.mjs', 'src/hello.mjs', 'test/greetings.mjs'];

/** Task `changelog`: a summary of what the other tasks made, and its publication, which a human has to allow. */
export async function writeChangelog(
  { say, read, write, run }: Workspace,
  clifford: CliffordClient,
): Promise<string> {
  const lines = await Promise.all(
    files.map(async (file) => `- \`${file}\` (${countLines(await read(file))} lines)`),
  );
  await say(`Read ${files.length} files of the other tasks.`);

  const decisions = (await read('spec/decisions.md')).split('\n').filter((line) => line.startsWith('- '));
  const spoken = await run('test/greetings.mjs');
  const greeted = await run('src/hello.mjs', 'Ada');
  await write(
    'CHANGELOG.md',
    [
      `# Changelog\n\n## ${VERSION}\n`,
      `The program greets in ${countLines(`${spoken}\n`)} languages. \`node src/hello.mjs Ada\` says: ${greeted}\n`,
      '### Decisions\n',
      ...decisions,
      '\n### Files\n',
      ...lines,
      '',
    ].join('\n'),
  );
  await say('Wrote CHANGELOG.md.');
  const published = await publish(say, clifford, greeted);
  if (published !== undefined && published !== VERSION)
    await write('CHANGELOG.md', (await read('CHANGELOG.md')).replace(`## ${VERSION}`, `## ${published}`));
  const how = published === undefined ? `${VERSION} is not` : `${published} is`;
  return `CHANGELOG.md lists the files, the languages and the decision; version ${how} published`;
}

/** @returns the version that is published: the human may have changed it. Without a yes there is none, and the task is done all the same. */
async function publish(
  say: Workspace['say'],
  clifford: CliffordClient,
  greeted: string,
): Promise<string | undefined> {
  await say(`Publishing ${VERSION}, which a human has to allow …`);
  try {
    const notes = `Greets people in their language: ${greeted}`;
    const result = await clifford.publish({ version: VERSION, notes }, async () => {
      await say('Asked why: explaining it, and asking again …');
      return 'It is the first version: all three tasks are done, and nothing was published before.';
    });
    await say(result);
    return /^Published (\S+):/m.exec(result)?.[1] ?? VERSION;
  } catch (error) {
    await say(`Not published. ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
