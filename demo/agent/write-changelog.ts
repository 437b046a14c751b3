import type { CliffordClient } from './clifford-client.ts';
import type { Workspace } from './workspace.ts';

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
      '# Changelog\n\n## 1.0.0\n',
      `The program greets in ${countLines(`${spoken}\n`)} languages. \`node src/hello.mjs Ada\` says: ${greeted}\n`,
      '### Decisions\n',
      ...decisions,
      '\n### Files\n',
      ...lines,
      '',
    ].join('\n'),
  );
  await say('Wrote CHANGELOG.md.');
  return `CHANGELOG.md lists the files, the languages and the decision; ${await publish(say, clifford, greeted)}`;
}

/** Without the human's yes it stays unpublished, and the task is done all the same. */
async function publish(say: Workspace['say'], clifford: CliffordClient, greeted: string): Promise<string> {
  await say('Publishing 1.0.0, which a human has to allow …');
  try {
    await say(
      await clifford.publish({ version: '1.0.0', notes: `Greets people in their language: ${greeted}` }),
    );
    return 'version 1.0.0 is published';
  } catch (error) {
    await say(`Not published. ${error instanceof Error ? error.message : String(error)}`);
    return 'version 1.0.0 is not published';
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
