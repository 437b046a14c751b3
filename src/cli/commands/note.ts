import type { Command } from 'commander';
import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { sendNote } from '../../workflow/notes/send-note.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Cli } from '../cli.ts';
import { readText } from '../input/read-text.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withProject } from '../project/with-project.ts';

type Options = { readonly sprint?: string; readonly json?: true };

/** `clifford note`: tells the agent of a task something, unasked. */
export function addNoteToAgent(program: Command, cli: Cli): void {
  program
    .command('note')
    .summary('tell the agent of a task something')
    .description(
      'Tells the agent that works on a task something, as guidance: in the middle of its turn where it can be spoken to then, ' +
        'else with the next word that it hears from Clifford. It answers no question and allows no call.',
    )
    .argument('<task>', 'id of the task')
    .argument('<text>', 'what the agent is told; - reads stdin')
    .option(
      '--sprint <sprint>',
      'id or folder name (default: the only unfinished one, or the only one of these with that task)',
    )
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford note task-2 "Leave the API as it is"')
    .action(async (taskId: string, given: string, { sprint, json }: Options) => {
      const text = await readText(cli, given);
      await withProject(cli, async (project) => {
        requireHuman(cli, `send a note about ${taskId}`, project);
        const stream = await enterChosenSprint(project, sprint, { task: taskId });
        if (looksSecret(text)) cli.note('this looks like a secret; notes are kept in the log as they are');
        const note = await sendNote(project, { stream, taskId, text, by: cli.by, via: 'cli' });
        tellDecided(cli, json, { done: 'noted', sprint: stream, tasks: [taskId], note: note.id }, () =>
          cli.print(`noted for ${visibleLine(taskId)} of ${stream}: its agent is told as soon as it can be`),
        );
      });
    });
}
