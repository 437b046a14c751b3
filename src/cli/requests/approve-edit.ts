import { CliffordError } from '../../errors.ts';
import { runsEdited, type Approval } from '../../events/approval.ts';
import { editCall } from '../../gateway/edit/edit-call.ts';
import { editedBy, editText, withArguments, withCommand, type Edited } from '../../gateway/edit/edit-text.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { editOutcome, requireEditable } from '../../workflow/requests/edited-call.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { openEditor } from '../../lib/processes/open-editor.ts';
import { readText } from '../input/read-text.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';
import { callLines } from '../text/approval-lines.ts';
import { closeAndTell } from './close-and-tell.ts';
import { filesOfCall, requireStillSo } from './files-of-call.ts';
import { requireShown } from './shown-call.ts';

/** How a call is changed before it is allowed: in an editor, or by what stands on the command line. */
export type EditOptions = {
  readonly edit?: true;
  readonly command?: string;
  readonly args?: string;
  readonly reason?: string;
  readonly json?: true;
};

/** Whether a call is to be changed. */
export function isEdit({ edit, command, args }: EditOptions): boolean {
  return edit !== undefined || command !== undefined || args !== undefined;
}

/**
 * Allows a call as a person changes it. What comes out of an editor is shown, with what becomes of it, and asked about;
 * so is what was not named by its whole id.
 */
export async function approveEdit(
  cli: Cli,
  project: Project,
  request: RequestState,
  { name, ...options }: EditOptions & { readonly name: string },
): Promise<void> {
  const { id, stream } = request;
  const approval = requireEditable(request);
  if (options.edit && !canAsk(cli)) throw noTerminal(id);
  if (name !== id) requireShown(cli, { verb: 'approve', name, json: options.json });
  const edited = await editedCall(cli, approval, options);
  if (edited === undefined) return stillWaits(cli, id);
  // What came out of an editor a person has just seen.
  const mustAsk = (options.edit === true && !options.json) || name !== id;
  if (mustAsk && 'args' in edited && !(await isMeant(cli, project, request, edited.args as Approval['args'])))
    return;
  const answer = { by: cli.by, via: 'cli', response: options.reason, env: cli.env, edited };
  await closeAndTell(cli, project, request, {
    verb: 'approve',
    done: 'approved',
    json: options.json,
    close: () => editCall(project, request, answer),
    say: (ended, isAwaited) => {
      const args = JSON.stringify(ended.answer?.edited?.args);
      cli.say(`allowed ${id} as changed: ${callName(approval)} ${args}`);
      cli.say(isAwaited || !runsEdited(approval) ? editOutcome(approval, stream) : NOBODY_WAITS);
    },
  });
}

const NOBODY_WAITS = 'no agent waits for it now: it runs as changed when the same call is made again';

/** `undefined`: the editor has failed, or nothing was changed. */
async function editedCall(
  cli: Cli,
  approval: Approval,
  { command, args }: EditOptions,
): Promise<Edited | undefined> {
  if (command !== undefined) return withCommand(approval, await readText(cli, command));
  if (args !== undefined) return withArguments(await readText(cli, args));
  const { is, text } = editText(approval);
  const name = is === 'command' ? 'command.sh' : 'arguments.json';
  const changed = await openEditor(cli.env, { name, text });
  if ('problem' in changed || changed.text === text) return undefined;
  return editedBy(approval, is, changed.text);
}

async function isMeant(
  cli: Cli,
  project: Project,
  request: RequestState,
  args: Approval['args'],
): Promise<boolean> {
  const { id, stream, asked } = request;
  const approval = { ...requireEditable(request), args };
  const changed = { ...request, asked: { ...asked, approval } };
  const { files, seen } = (await filesOfCall(project, changed)) ?? {};
  cli.printLines(callLines(approval, cli, { files }));
  cli.say(`as changed by you: ${editOutcome(approval, stream)}`);
  const answer = await yesOrNo(cli, 'Allow this call?');
  if (answer === 'no') stillWaits(cli, id);
  if (answer === 'stop') cli.endWith(exitCodes.interrupted);
  if (answer === 'yes') await requireStillSo(project, changed, seen);
  return answer === 'yes';
}

function stillWaits(cli: Cli, id: string): void {
  cli.print(`not changed: ${id} waits on`);
  cli.endWith(exitCodes.failed);
}

function noTerminal(id: string): CliffordError {
  return new CliffordError(`Cannot edit ${id}: an editor needs a terminal`, {
    code: 'EDIT_NO_TERMINAL',
    fix: `Say it on the command line: clifford approve ${id} --command "…", or --args '{ … }'`,
  });
}
