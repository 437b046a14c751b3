import type { Command } from 'commander';
import { looksSecret } from '../../events/redaction.ts';
import { answerRequest } from '../../workflow/requests/answer.ts';
import { findRequest } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { emptyText, lostRace } from '../request-errors.ts';
import { oneLine } from '../text/visible.ts';
import { withProject } from '../with-project.ts';

/** `clifford answer`: the human's word to a question, from any shell. */
export function addAnswer(program: Command, cli: Cli): void {
  program
    .command('answer')
    .summary('answer a question')
    .description('Answers a question. The first answer wins: one that comes later is told who was first.')
    .argument('<id|last>', 'id of the question, a unique beginning of it, or last for the only open one')
    .argument('<text>', 'what the agent is told')
    .addHelpText('after', '\nExample:\n  clifford answer last "Use port 8080"')
    .action((name: string, text: string) => answer(cli, name, text));
}

async function answer(cli: Cli, name: string, text: string): Promise<void> {
  if (text.trim() === '') throw emptyText(name);
  await withProject(cli, async (project) => {
    const { id, asked } = findRequest(project.state, name);
    if (looksSecret(text))
      cli.warn('note: this looks like a secret; answers are kept in the log as they are');
    const outcome = await answerRequest(project, id, { response: text, by: cli.by, via: 'cli' });
    if (!outcome.accepted) throw lostRace('answer', id, outcome.request);
    cli.print(`answered ${id} (${oneLine(asked.question)}): ${oneLine(text)}`);
  });
}
