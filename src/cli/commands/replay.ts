import type { Command } from 'commander';
import { chooseStream } from '../history/choose-stream.ts';
import type { Cli } from '../cli.ts';
import { outsideOf } from '../../workflow/history/history-of.ts';
import { parseUntil, type Until } from '../../workflow/history/until.ts';
import type { Project } from '../../workflow/project/project.ts';
import { printChanges } from '../history/print-changes.ts';
import { printVerification } from '../history/print-verification.ts';
import { printSummary } from '../history/print-summary.ts';
import { printHistory, printHistoryJson } from '../history/print-history.ts';
import type { Travel } from '../../tui/past/past.ts';
import { addScreenOptions, screenFor, type ScreenOptions } from '../input/screen-options.ts';
import { withSignals } from '../project/with-signals.ts';
import { withProject } from '../project/with-project.ts';

type Options = ScreenOptions & {
  json?: true;
  at?: string;
  until?: string;
  changesSince?: string;
  summary?: true;
  verify?: true;
};

/** `clifford replay`: what happened in a sprint, event by event. */
export function addReplay(program: Command, cli: Cli): void {
  const command = program
    .command('replay')
    .summary('show the history of a sprint, event by event')
    .description(
      'Shows a sprint at any moment of its past: on a terminal on the screen, else event by event with the state after each.',
    )
    .argument('[sprint]', 'id or folder name, or adhoc (default: the latest sprint)')
    .option('--at <version|time>', 'the moment to begin with on the screen (default: the last event)')
    .option('--plain', 'print the history, also on a terminal')
    .option('--json', 'one JSON object per event, with every state after it')
    .option(
      '--until <version|time>',
      'stop after this version, or at this time; 14:53 is that of the last day, -2h before the last event',
    )
    .option(
      '--changes-since <version|time>',
      'what has changed since this moment instead: in the sprint, its tasks, questions and costs',
    )
    .option('--summary', 'what it took instead: time, attempts, questions, files, costs')
    .option('--verify', 'check the whole log instead: chain, schemas, legality')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford replay sprint-1 --until 12\n  clifford replay --changes-since -2h\n  clifford replay --verify\n  clifford replay --json | tail -1',
    )
    .action((sprint: string | undefined, options: Options) => replay(cli, sprint, options));
  addScreenOptions(command);
}

async function replay(
  cli: Cli,
  sprint: string | undefined,
  { json, at, until, changesSince, summary, verify, ...shown }: Options,
): Promise<void> {
  if (verify) return printVerification(cli, json ?? false);
  const end = until === undefined ? undefined : parseUntil(until);
  // Read here, so that a mistake is told before anything is shown.
  if (at !== undefined) parseUntil(at);
  const since = changesSince === undefined ? undefined : parseUntil(changesSince);
  await withProject(
    cli,
    async (project) => {
      const stream = await chooseStream(project, sprint);
      const asked = { stream, until: end, json: json ?? false };
      if (since) return printChanges(cli, project, { ...asked, since });
      if (summary) return printSummary(cli, project, asked);
      const look = json || end !== undefined ? undefined : await screenFor(cli, shown);
      if (!look) {
        if (at !== undefined) cli.note('--at is for the screen: --until stops at a moment what is printed');
        return printPast(cli, project, stream, { end, json });
      }
      const startsAt: Travel = at === undefined ? { to: 'last' } : { to: 'place', text: at };
      await withSignals(cli, { project, isOnScreen: true }, async () => {
        const { attachOnScreen } = await import('../run/attach-on-screen.ts');
        await attachOnScreen(cli, project, stream, { startsAt, look });
      });
    },
    '/clifford/tui',
    { onlyLooks: true },
  );
}

async function printPast(
  cli: Cli,
  project: Project,
  stream: string,
  { end, json }: { readonly end: Until | undefined; readonly json: true | undefined },
): Promise<void> {
  await (json ? printHistoryJson : printHistory)(cli, project, stream, end);
  const outside = end && (await outsideOf(project, stream, end));
  if (outside !== undefined) cli.note(outside);
}
