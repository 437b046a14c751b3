import type { Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { Notice } from '../../tui/screen/screen-state.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { addScreenOptions, screenFor, type ScreenOptions } from '../input/screen-options.ts';
import { withProject } from '../project/with-project.ts';
import { withSignals } from '../project/with-signals.ts';
import { withCalls } from '../run/with-calls.ts';

/** `clifford attach`: the screen of a sprint that someone else runs. */
export function addAttach(program: Command, cli: Cli): void {
  const command = program
    .command('attach')
    .summary('watch a sprint that runs elsewhere')
    .description('Shows a sprint that runs elsewhere, and lets you answer. Leaving stops nothing.')
    .argument('[sprint]', 'id or folder name (default: the only unfinished one), or adhoc')
    .option('--plain', 'one line per event instead of the screen, until the sprint ends')
    .addHelpText(
      'after',
      '\nThe last line of the screen names the keys of use. A tool call that waits:' +
        '\nY allow once, N deny, A always.' +
        '\n\nadhoc is what is asked outside of any sprint, e.g. by agents in editors.' +
        '\n\nExample:\n  clifford attach sprint-1',
    )
    .action(async (name: string | undefined, options: ScreenOptions) => {
      let notice: Notice | undefined;
      for (;;) {
        const begins = await watch(cli, name, { options, notice });
        if (begins === undefined) return;
        const { runFromOverview } = await import('../overview/run-from-overview.ts');
        try {
          await runFromOverview(cli, begins, await screenFor(cli, options));
          return;
        } catch (error) {
          // What a person can do something about is said where they are: the sprint is shown again.
          if (!(error instanceof CliffordError)) throw error;
          notice = { tone: 'warning', text: error.inOneLine };
        }
      }
    });
  addScreenOptions(command);
}

/** Shows the sprint until it is left; returns its id, where it is to be run then. */
async function watch(
  cli: Cli,
  name: string | undefined,
  { options, notice }: { readonly options: ScreenOptions; readonly notice: Notice | undefined },
): Promise<string | undefined> {
  let begins: string | undefined;
  await withProject(
    cli,
    async (project) => {
      const { id } = name === ADHOC_STREAM ? { id: name } : await chooseSprint(project, name);
      const look = await screenFor(cli, options);
      const place = { project, isOnScreen: look !== undefined };
      const show = async () => {
        if (look) {
          const { attachOnScreen } = await import('../run/attach-on-screen.ts');
          const left = await attachOnScreen(cli, project, id, { startsRuns: true, look, notice });
          if (left === 'start') begins = id;
        } else {
          const { attachPlain } = await import('../run/attach-plain.ts');
          await attachPlain(cli, project, id);
        }
      };
      await withSignals(cli, place, () => withCalls(cli, place, show));
    },
    '/clifford/tui',
  );
  return begins;
}
