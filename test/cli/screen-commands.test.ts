import { expect, it } from 'vitest';
import { allDone, ofPanes } from '../../scripts/screen-commands.ts';
import { createProgram, findCommand } from '../../src/cli/program.ts';
import { createCli } from '../../src/cli/cli.ts';
import { allPanes } from '../../src/tui/panes/all-panes.ts';

const { cli } = createCli(process);

it('each pane is in the list of what has a command', () => {
  expect(Object.keys(ofPanes)).toEqual(allPanes.map(({ id }) => id));
});

const commands = new Set(allDone.flatMap((done) => ('as' in done ? [done.as] : [])));

it.each([...commands])('clifford %s does the same as the screen, and has --json', async (line) => {
  const words = line.split(' ');
  const { command, name } = findCommand(await createProgram(cli, words), words);
  expect(name).toBe(`clifford ${words.filter((word) => !word.startsWith('-')).join(' ')}`);
  const options = command.options.map(({ long }) => long);
  const wanted = words.filter((word) => word.startsWith('-'));
  expect(options).toEqual(expect.arrayContaining(['--json', ...wanted]));
});
