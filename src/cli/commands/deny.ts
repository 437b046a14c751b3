import type { Command } from 'commander';
import { deny } from '../../workflow/requests/approval.ts';
import { findRequest } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { decideSame, sameMeant } from '../requests/decide-same.ts';
import { closeAndTell } from '../requests/close-and-tell.ts';
import { decideIn } from '../requests/decide-in.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import { decider } from '../../workflow/project/require-human.ts';
import { checkText } from '../input/read-text.ts';

type Options = { reason?: string; same?: true; yes?: true; json?: true };

/** `clifford deny`: a human's no to a tool call that waits. */
export function addDeny(program: Command, cli: Cli): void {
  program
    .command('deny')
    .summary('deny a tool call that waits')
    .description('Denies a tool call that waits for a human. The agent is told, with the reason.')
    .argument('<id|last>', 'id of the request, a unique beginning of it, or last for the only open one')
    .option('--reason <text>', 'why, for the agent', checkText)
    .option('--same', 'and all that wait like it: each is listed, and asked about')
    .option('--yes', 'with --same: without asking')
    .option('--json', 'for programs: one line')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford deny last --reason "Write below docs/ only"\n  clifford deny q-0198c --same --reason "A human pushes"',
    )
    .action((name: string, options: Options) => run(cli, name, options));
}

async function run(cli: Cli, name: string, { same, yes, reason, json }: Options): Promise<void> {
  await decideIn(cli, { verb: 'deny', name }, async (project) => {
    const request = same ? sameMeant(project.state, name) : findRequest(project.state, name);
    const { id, asked } = request;
    const by = decider(cli, project);
    if (same) return decideSame(cli, project, request, { verdict: 'denied', by, name, yes, reason, json });
    const because = reason === undefined ? '' : ` (${reason})`;
    await closeAndTell(cli, project, request, {
      verb: 'deny',
      done: 'denied',
      json,
      close: () => deny(project, id, { by, via: 'cli', reason }),
      say: () => cli.say(`denied ${id}: ${callName(asked.approval)}${because}`),
    });
  });
}
