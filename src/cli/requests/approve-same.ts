import { CliffordError } from '../../errors.ts';
import { alikeIn } from '../../gateway/permission/same-shape.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { askerOf } from '../../views/asker.ts';
import type { Project } from '../../workflow/project/project.ts';
import { approveAll } from '../../workflow/requests/approve-all.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { closedBy } from '../../workflow/requests/outcome-text.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';
import { callLines } from '../text/approval-lines.ts';
import { lostRace } from './request-errors.ts';

/**
 * Allows all calls of a sprint that wait like this one. Each of them is listed before, and asked about where a person is there:
 * which they are only the list says.
 */
export async function approveSame(
  cli: Cli,
  project: Project,
  request: RequestState,
  {
    name,
    yes,
    reason,
  }: {
    readonly name: string;
    readonly yes?: true | undefined;
    readonly reason?: string | undefined;
  },
): Promise<void> {
  const { id, stream, asked } = request;
  if (request.phase !== 'open' && asked.approval) throw lostRace('approve', id, request);
  const calls = callsLike(
    request,
    openRequests(project.state).filter((each) => each.stream === stream),
  );
  // Another name than the id may mean another call by now.
  const mustAsk = !yes || name !== id;
  if (mustAsk && !canAsk(cli)) throw notListed(id);
  calls.forEach((call, at) => printCall(cli, call, `${at + 1} of ${calls.length}`));
  const answer = !mustAsk ? 'yes' : await yesOrNo(cli, `Allow these ${calls.length} calls?`);
  if (answer === 'no') cli.print(`not allowed: they wait on`);
  if (answer !== 'yes') return cli.endWith(answer === 'stop' ? exitCodes.interrupted : exitCodes.failed);
  const { approved, lost } = await approveAll(project, calls, { by: cli.by, via: 'cli', response: reason });
  for (const each of approved)
    cli.print(
      visibleLine(
        `approved ${each.id}: ${each.asked.approval?.server} ${each.asked.approval?.tool}, this call`,
      ),
    );
  for (const each of lost) cli.note(`not ${each.id}: ${closedBy(each)}`);
  if (approved.length === 0) cli.endWith(exitCodes.failed);
}

function callsLike(request: RequestState, open: readonly RequestState[]): readonly RequestState[] {
  const listed = open.map((each) => ({ id: each.id, approval: each.asked.approval, each }));
  const alike = alikeIn(listed, request.id).map(({ each }) => each);
  return alike.length === 0 ? [request] : alike;
}

function printCall(cli: Cli, call: RequestState, at: string): void {
  const { id, asked, taskId = asked.task } = call;
  const about = taskId === undefined ? '' : `, about ${taskId}`;
  cli.print(visibleLine(`${at}: ${id}, ${askerOf(call)}${about}`));
  if (asked.approval) cli.printLines(callLines(asked.approval, cli).map((line) => `  ${line}`));
}

function notListed(id: string): CliffordError {
  return new CliffordError(`Cannot approve ${id} and those like it: nobody can be asked about them here`, {
    code: 'CALL_NOT_SHOWN',
    fix: `Look at them with clifford questions, then: clifford approve ${id} --same --yes`,
  });
}
