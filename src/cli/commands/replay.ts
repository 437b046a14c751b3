import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { logFile } from '../../workflow/project/project-log.ts';
import { requireProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import { chooseStream } from '../history/choose-stream.ts';
import type { Cli } from '../cli.ts';
import { parseUntil } from '../history/history.ts';
import { printHistory, printHistoryJson } from '../history/print-history.ts';
import { printVerification } from '../history/print-verification.ts';
import { withProject } from '../project/with-project.ts';

type Options = { json?: true; until?: string; verify?: true };

/** `clifford replay`: what happened in a sprint, event by event. */
export function addReplay(program: Command, cli: Cli): void {
  program
    .command('replay')
    .summary('show the history of a sprint, event by event')
    .description('Prints the history of a sprint, event by event, with the state after each.')
    .argument('[sprint]', 'id or folder name, or adhoc (default: the latest sprint)')
    .option('--json', 'one JSON object per event, with every state after it')
    .option(
      '--until <version|time>',
      'stop after this version, or at this time; 14:53 is that of the last day',
    )
    .option('--verify', 'check the whole log instead: chain, schemas, legality')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford replay sprint-1 --until 12\n  clifford replay --verify\n  clifford replay --json | tail -1',
    )
    .action((sprint: string | undefined, options: Options) => replay(cli, sprint, options));
}

async function replay(cli: Cli, sprint: string | undefined, { json, until, verify }: Options): Promise<void> {
  if (verify) {
    const file = logFile(join(requireProjectRoot(cli), STATE_DIR));
    return printVerification(cli, file, { json: json ?? false, shown: relative(cli.cwd, file) || file });
  }
  const end = until === undefined ? undefined : parseUntil(until);
  await withProject(cli, async (project) => {
    const stream = await chooseStream(project, sprint);
    await (json ? printHistoryJson : printHistory)(cli, project, stream, end);
  });
}
