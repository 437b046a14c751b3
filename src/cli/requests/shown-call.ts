import { CliffordError } from '../../errors.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';
import type { Project } from '../../workflow/project/project.ts';
import { callLines } from '../text/approval-lines.ts';
import { filesOfCall, requireStillSo } from './files-of-call.ts';

/** How a call was named. `json`: a program decides, and sees nothing that is shown. */
type MeantCall = {
  readonly verb: 'approve' | 'answer';
  readonly name: string;
  readonly json?: boolean | undefined;
};

/**
 * Whether the call that a person allows is the one they mean. What is called by its whole id, they have seen. With
 * `last`, or the beginning of an id, an agent could have put another call in its place since: it is shown, and asked.
 *
 * @throws {CliffordError} `CALL_NOT_SHOWN` where nobody can be asked; `FILES_CHANGED` when it would make something else of its files by
 *   the time of a yes.
 */
export async function isMeantCall(
  cli: Cli,
  project: Project,
  request: RequestState,
  { verb, name, json }: MeantCall,
): Promise<boolean> {
  const { id, asked } = request;
  if (!asked.approval || name === id) return true;
  requireShown(cli, { verb, name, json });
  const { files, seen } = (await filesOfCall(project, request)) ?? {};
  for (const line of callLines(asked.approval, cli, { files })) cli.print(line);
  const answer = await yesOrNo(cli, 'Allow this call?');
  if (answer === 'no') cli.print(`not allowed: ${id} waits on`);
  if (answer !== 'yes') cli.endWith(answer === 'stop' ? exitCodes.interrupted : exitCodes.failed);
  if (answer === 'yes') await requireStillSo(project, request, seen);
  return answer === 'yes';
}

/** Can the call be shown, and asked about? @throws {CliffordError} `CALL_NOT_SHOWN` where nobody is there. */
export function requireShown(cli: Cli, { verb, name, json }: MeantCall): void {
  if (!json && canAsk(cli)) return;
  throw new CliffordError(`Cannot ${verb} ${name}: it may be another call by now than the one you saw`, {
    code: 'CALL_NOT_SHOWN',
    fix: 'Name it by its whole id, as this shows it: clifford questions',
  });
}
