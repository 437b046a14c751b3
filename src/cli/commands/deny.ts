import type { Command } from 'commander';
import { deny } from '../../workflow/requests/approval.ts';
import { findRequest } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { parkedFor } from '../../machines/parked.ts';
import { tellParked } from '../requests/tell-parked.ts';
import { lostRace } from '../requests/request-errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { decider } from '../../workflow/project/require-human.ts';
import { withProject } from '../project/with-project.ts';

/** `clifford deny`: a human's no to a tool call that waits. */
export function addDeny(program: Command, cli: Cli): void {
  program
    .command('deny')
    .summary('refuse a tool call that waits')
    .description('Refuses a tool call that waits for a human. The agent is told, with the reason.')
    .argument('<id|last>', 'id of the request, a unique beginning of it, or last for the only open one')
    .option('--reason <text>', 'why, for the agent')
    .addHelpText('after', '\nExample:\n  clifford deny last --reason "Write below docs/ only"')
    .action((name: string, options: { reason?: string }) => run(cli, name, options));
}

async function run(cli: Cli, name: string, { reason }: { reason?: string }): Promise<void> {
  await withProject(cli, async (project) => {
    const request = findRequest(project.state, name);
    const { id, asked } = request;
    const isParked = parkedFor(project.state, request) !== undefined;
    const outcome = await deny(project, id, { by: decider(cli, project), via: 'cli', reason });
    if (!outcome.accepted) throw lostRace('deny', id, outcome.request);
    const because = reason === undefined ? '' : ` (${reason})`;
    cli.print(visibleLine(`denied ${id}: ${asked.approval?.server} ${asked.approval?.tool}${because}`));
    if (isParked) tellParked(cli, project, request);
  });
}
