import type { Command } from 'commander';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { explainFirst, explainOutcome } from '../../workflow/requests/explain-first.ts';
import { findRequest } from '../../workflow/requests/find-request.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import type { Cli } from '../cli.ts';
import { readText } from '../input/read-text.ts';
import { closeAndTell } from '../requests/close-and-tell.ts';
import { decideIn } from '../requests/decide-in.ts';

/** `clifford explain`: a human's question about a tool call that waits. */
export function addExplain(program: Command, cli: Cli): void {
  program
    .command('explain')
    .summary('ask the agent about a tool call that waits')
    .description(
      'Sends a tool call that waits back with a question. It does not run for now; when the agent makes the same call again, what it says stands beside it.',
    )
    .argument('<id|last>', 'id of the request, a unique beginning of it, or last for the only open one')
    .argument('[why]', 'what you want to know (default: why the agent wants this); - reads stdin')
    .option('--json', 'for programs: one line')
    .addHelpText(
      'after',
      '\nAn agent behind an editor hears only a no: you ask it there.\n' +
        '\nExample:\n  clifford explain last "Why not with npm ci?"',
    )
    .action((name: string, question: string | undefined, { json }: { json?: true }) =>
      run(cli, name, question, json),
    );
}

async function run(cli: Cli, name: string, text: string | undefined, json: true | undefined): Promise<void> {
  const question = text === undefined ? undefined : await readText(cli, text);
  await decideIn(cli, { verb: 'ask about', name }, async (project) => {
    const request = findRequest(project.state, name);
    const { id, stream } = request;
    requireHuman(cli, `ask about ${id}`, project);
    await closeAndTell(cli, project, request, {
      verb: 'ask about',
      done: 'explaining',
      json,
      close: () => explainFirst(project, id, { by: cli.by, via: 'cli', question }),
      say: ({ answer, asked: { approval } }) => {
        if (!approval) return;
        cli.say(`asked about ${id}: ${callName(approval)}: ${answer?.response}`);
        cli.say(explainOutcome(approval, stream));
      },
    });
  });
}
