import type { Workspace } from './workspace.ts';

const files = ['src/greetings.mjs', 'src/hello.mjs', 'test/greetings.mjs'];

/** Task `changelog`: a summary of what the other tasks made. */
export async function writeChangelog({ say, read, write, run }: Workspace): Promise<string> {
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
  return 'CHANGELOG.md lists the files, the languages and the decision';
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
