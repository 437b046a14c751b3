import type { Command } from 'commander';
import { join, resolve } from 'node:path';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import type { Project } from '../../workflow/project/project.ts';
import { outsideOf } from '../../workflow/history/history-of.ts';
import { parseUntil } from '../../workflow/history/until.ts';
import { chooseStream } from '../history/choose-stream.ts';
import { STDOUT, writeOutput } from '../history/write-output.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';

type Options = { until?: string; output?: string; json?: true };

/** `clifford report`: a sprint as one HTML file, to be kept, sent and printed. */
export function addReport(program: Command, cli: Cli): void {
  program
    .command('report')
    .summary('write a sprint as one HTML file')
    .description(
      'Writes what a sprint took, what became of its tasks, and what was asked and decided, as one HTML file that loads nothing and runs no script.',
    )
    .argument('[sprint]', 'id or folder name, or adhoc (default: the latest sprint)')
    .option('--output <file>', 'which file; - is stdout (default: one in .clifford/reports)')
    .option('--until <version|time>', 'as it was after this version, or at this time')
    .option(
      '--json',
      'print which file it is in, and of how many events it is made; with --output - the HTML',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  clifford report\n  clifford report sprint-1 --output report.html\n  clifford report --output - > report.html',
    )
    .action((sprint: string | undefined, options: Options) => report(cli, sprint, options));
}

async function report(
  cli: Cli,
  sprint: string | undefined,
  { until: moment, output, json }: Options,
): Promise<void> {
  const until = moment === undefined ? undefined : parseUntil(moment);
  await withProject(
    cli,
    async (project) => {
      const stream = await chooseStream(project, sprint);
      const { makeReport } = await import('../history/make-report.ts');
      const { html, events, isPast } = await makeReport(project, stream, until);
      const outside = until && (await outsideOf(project, stream, until));
      if (output === STDOUT) {
        if (json) cli.printJson({ sprint: stream, events, html });
        else cli.print(html.trimEnd());
      } else {
        const file =
          output === undefined
            ? ownFile(project, isPast ? `${stream}-until-${events}` : stream)
            : resolve(cli.cwd, output);
        await writeOutput(file, [html], { own: project.dir, isNamed: output !== undefined });
        if (json) cli.printJson({ sprint: stream, events, file });
        else cli.print(`The report of ${stream} is in ${file}`);
      }
      if (outside !== undefined) cli.note(outside);
    },
    '/clifford/cli',
    { onlyLooks: true },
  );
}

/** Where no commit takes it for work, and no agent has put anything for it to overwrite. */
function ownFile({ dir }: Project, name: string): string {
  const folder = join(dir, 'reports');
  makeOwnFolder(folder);
  return join(folder, `${name}.html`);
}
