import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { visible } from '../../lib/text/visible.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { requireProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import {
  addProject,
  findProject,
  listProjects,
  removeProject,
  type KnownProject,
} from '../../workflow/projects/known-projects.ts';
import type { Cli } from '../cli.ts';
import { columns } from '../text/columns.ts';

type Options = { json?: true };

/** `clifford projects`: the list of this user's projects, for `--everywhere` and `--project`. */
export function addProjects(program: Command, cli: Cli): void {
  const projects = program
    .command('projects')
    .summary('list your projects, to be looked at together')
    .description(
      'Lists the projects that you have added. With --everywhere, clifford, clifford status, clifford questions and clifford serve ' +
        'are about all of them, each with its own log; with --project any command is about one of them.',
    )
    .option('--json', 'for programs: a list of { name, root, isThere }')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford projects add ~/work/shop\n  clifford questions --everywhere --watch' +
        '\n  clifford --project shop answer q-1 "The first one"',
    )
    .action(({ json }: Options) => list(cli, json === true));
  projects
    .command('add')
    .summary('list a project')
    .argument('[folder]', 'in it, or below it', '.')
    .description(
      'Adds a project to your list. The list is yours, on this machine: no file of the project says so.',
    )
    .addHelpText('after', '\nExample:\n  clifford projects add ~/work/shop')
    .action((folder: string) => add(cli, folder));
  projects
    .command('remove')
    .summary('take a project out of the list')
    .argument('<project>', 'its name in the list, or its folder')
    .description('Takes a project out of your list. The project stays as it is.')
    .addHelpText('after', '\nExample:\n  clifford projects remove shop')
    .action((name: string) => remove(cli, name));
}

async function list(cli: Cli, isJson: boolean): Promise<void> {
  const all = (await listProjects(cli.env)).map(({ name, root }) => ({
    name,
    root,
    isThere: isThere({ name, root }),
  }));
  if (isJson) return cli.printJson(all);
  if (all.length === 0)
    return cli.say('Your list is empty. List a project with: clifford projects add <folder>');
  const rows = all.map((each) => [
    visible(each.name),
    `${visible(each.root)}${each.isThere ? '' : ` (no project there any more: clifford projects remove ${printedWord(each.name)})`}`,
  ]);
  cli.printLines(columns(rows));
}

function isThere({ root }: KnownProject): boolean {
  return existsSync(join(root, STATE_DIR));
}

async function add(cli: Cli, folder: string): Promise<void> {
  requireHuman(cli, 'add to the list of projects', undefined);
  const cwd = resolve(cli.cwd, folder);
  if (!existsSync(cwd))
    throw new CliffordError(`Cannot add ${cwd} to the list: there is no such folder`, {
      code: 'ROOT_MISSING',
      fix: 'Name a folder of a project, or one below it',
    });
  // The folder is what was typed: a variable says which project commands are about, and not what one is.
  const found = requireProjectRoot({ cwd, env: {} });
  const root = realPath(found) ?? found;
  await addProject(cli.env, root);
  const { name } = await findProject(cli.env, root, { root });
  cli.print(`${visible(name)} is in your list: ${visible(root)}`);
}

async function remove(cli: Cli, name: string): Promise<void> {
  requireHuman(cli, 'take a project out of the list', undefined);
  const folder = resolve(cli.cwd, name);
  const known = await findProject(cli.env, name, { root: realPath(folder) ?? folder });
  await removeProject(cli.env, known.root);
  cli.print(`${visible(known.name)} is not in your list any more`);
}
