import type { Command } from 'commander';
import { dismissRequest } from '../../workflow/requests/answer.ts';
import { findRequest } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { closeAndTell } from '../requests/close-and-tell.ts';
import { decideIn } from '../requests/decide-in.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { decider } from '../../workflow/project/require-human.ts';
import { checkText } from '../input/read-text.ts';

type Options = { readonly reason?: string; readonly json?: true };

/** `clifford dismiss`: ends a question without an answer. */
export function addDismiss(program: Command, cli: Cli): void {
  program
    .command('dismiss')
    .summary('end a question without an answer')
    .description('Ends a question without an answer. The agent is told, and decides by itself.')
    .argument('<id|last>', 'id of the question, a unique beginning of it, or last for the only open one')
    .option('--reason <text>', 'why, for the agent and the log', checkText)
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford dismiss last --reason "Decide yourself"')
    .action((name: string, options: Options) => dismiss(cli, name, options));
}

async function dismiss(cli: Cli, name: string, { reason, json }: Options): Promise<void> {
  await decideIn(cli, { verb: 'dismiss', name }, async (project) => {
    const request = findRequest(project.state, name);
    const { id, asked } = request;
    const by = decider(cli, project);
    await closeAndTell(cli, project, request, {
      verb: 'dismiss',
      done: 'dismissed',
      json,
      close: () => dismissRequest(project, id, { by, via: 'cli', reason }),
      say: () => cli.print(`dismissed ${id} (${visibleLine(asked.question)})`),
    });
  });
}
