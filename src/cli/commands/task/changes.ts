import type { Command } from 'commander';
import { CliffordError } from '../../../errors.ts';
import type { Project } from '../../../workflow/project/project.ts';
import { requireTask } from '../../../workflow/task/require-task.ts';
import {
  changesText,
  diffLines,
  linesText,
  shownPath,
  type DiffLine,
} from '../../../views/changes/changed-files.ts';
import { changesOfTask, type TaskChanges } from '../../../workflow/commit/changes-of-task.ts';
import { BY_HAND } from '../../../workflow/git/uncommitted.ts';
import type { FileChange } from '../../../workflow/git/git-diff.ts';
import type { Cli } from '../../cli.ts';
import { chooseStream } from '../../history/choose-stream.ts';
import type { Style } from '../../printer.ts';
import { withProject } from '../../project/with-project.ts';

type ChangesOptions = { readonly sprint?: string; readonly patch?: true; readonly json?: true };

/** `clifford task changes`: which files a task changed, and how. */
export function addChanges(task: Command, cli: Cli): void {
  task
    .command('changes')
    .summary('show the files that a task changed')
    .description(
      'Shows the files that a task changed: in its commit, or in the working tree while it is not committed.',
    )
    .argument('<task>', 'id of the task')
    .option('--sprint <sprint>', 'id or folder name (default: the latest sprint)')
    .option('--patch', 'and the differences of each')
    .option('--json', 'for programs: { sprint, task, from, files: [ … ] }, with the differences')
    .addHelpText('after', '\nExamples:\n  clifford task changes form\n  clifford task changes form --patch')
    .action((name: string, { sprint, patch, json }: ChangesOptions) =>
      withProject(cli, async (project) => {
        const stream = await chooseStream(project, sprint);
        requireTask(project.state, { stream, taskId: name });
        const changes = await changesOrWhyNone(project, { stream, task: name });
        if (json) cli.printJson({ sprint: stream, task: name, ...changes });
        else cli.printLines(changeLines(cli, changes, patch ?? false));
      }),
    );
}

async function changesOrWhyNone(
  project: Project,
  where: { readonly stream: string; readonly task: string },
): Promise<TaskChanges> {
  try {
    return await changesOfTask(project, where);
  } catch (cause) {
    if (!(cause instanceof CliffordError) || cause.code !== 'UNCOMMITTED') throw cause;
    const { message, code, fix, recovery } = cause;
    throw new CliffordError(`Cannot show the changes of task ${where.task}: ${message}`, {
      code,
      fix: fix === BY_HAND ? `See where it stands with: clifford status ${where.stream}` : fix,
      recovery,
      cause,
    });
  }
}

const looks = {
  added: { mark: 'A', style: 'green' },
  changed: { mark: 'M', style: 'cyan' },
  removed: { mark: 'D', style: 'red' },
} as const satisfies Record<FileChange['how'], { mark: string; style: Style }>;

/** Where they are from, and a line for each file. */
function changeLines({ style }: Cli, changes: TaskChanges, withPatch: boolean): string[] {
  const lines = changes.files.flatMap((file) => {
    const { mark, style: color } = looks[file.how];
    const size = file.lines ? `  ${linesText(file.lines)}` : '';
    const note = file.note === undefined ? '' : `  ${style('yellow', file.note)}`;
    const line = `${style(color, mark)} ${shownPath(file.path)}${style('dim', size)}${note}`;
    return withPatch && file.patch !== '' ? ['', line, ...patchLines(file, style)] : [line];
  });
  return [style('bold', changesText(changes)), ...lines];
}

const colours = {
  place: 'cyan',
  added: 'green',
  removed: 'red',
  same: undefined,
  note: 'dim',
} as const satisfies Record<DiffLine['is'], Style | undefined>;

function patchLines({ patch }: FileChange, style: Cli['style']): string[] {
  return diffLines(patch).map(({ is, text }) => {
    const color = colours[is];
    return color ? style(color, text) : text;
  });
}
