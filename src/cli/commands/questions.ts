import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { followQuestions } from '../requests/follow-questions.ts';
import { listQuestions, printQuestions } from '../requests/print-questions.ts';
import { withProject } from '../project/with-project.ts';

type Options = { json?: true; watch?: true; all?: true };

/** `clifford questions`: everything that waits for a human, in all sprints. */
export function addQuestions(program: Command, cli: Cli): void {
  program
    .command('questions')
    .summary('list the questions that are open')
    .description('Lists the questions that wait for a human, in all sprints and outside, oldest first.')
    .option('--all', 'also those that have ended, and how')
    .option('--watch', 'go on with each that opens or ends, until Ctrl-C')
    .option('--json', 'for programs: [ … ]; with --watch one object per line')
    .addHelpText('after', '\nExamples:\n  clifford questions\n  clifford questions --watch --json')
    .action(({ json, watch, all }: Options) =>
      withProject(cli, async (project) => {
        const questions = listQuestions(project.state, { all: all === true });
        if (watch) await followQuestions(cli, project, questions, { json: json === true });
        else printQuestions(cli, questions, { json: json === true });
      }),
    );
}
