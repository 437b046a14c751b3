import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { followQuestions } from '../requests/follow-questions.ts';
import { listQuestions, printQuestions } from '../requests/print-questions.ts';
import { revealed } from '../requests/reveal.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { withProject } from '../project/with-project.ts';

type Options = { json?: true; watch?: true; all?: true; reveal?: true };

/** `clifford questions`: everything that waits for a human, in all sprints. */
export function addQuestions(program: Command, cli: Cli): void {
  program
    .command('questions')
    .summary('list the questions that are open')
    .description('Lists the questions that wait for a human, in all sprints and outside, oldest first.')
    .option('--all', 'also closed questions, and how they ended')
    .addOption(
      new Option('--reveal', 'calls that wait with all their arguments, secrets too').conflicts('watch'),
    )
    .option('--watch', 'keep printing questions that open or close, until Ctrl-C')
    .option('--json', 'for programs: [ … ]; with --watch one object per line')
    .addHelpText('after', '\nExamples:\n  clifford questions\n  clifford questions --watch --json')
    .action(({ json, watch, all, reveal }: Options) =>
      withProject(cli, async (project) => {
        if (reveal) requireHuman(cli, 'reveal the arguments of a call');
        const listed = listQuestions(project.state, { all: all === true });
        const questions = reveal ? await Promise.all(listed.map(revealed)) : listed;
        if (watch) await followQuestions(cli, project, questions, { json: json === true });
        else printQuestions(cli, questions, { json: json === true });
      }),
    );
}
