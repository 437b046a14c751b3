import { CliffordError } from '../../errors.ts';
import { runsEdited, type Approval, type EditedCall } from '../../events/approval.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { digestOf } from '../../lib/digest.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { callName } from './call-name.ts';
import { knownRequest, type Answerer, type CloseOutcome } from './close-request.ts';
import { decideCall, notAnApproval } from './decide-call.ts';
import { briefArguments, isShownInPart, shownArguments } from './shown-arguments.ts';

/**
 * Whether whoever asks hears no more than a no: an agent in an editor. The protocol has no place for words with it, and its
 * conversation is the user's. No other agent asks for its own tools outside of sprints.
 */
export function hearsOnlyNo({ isOwn }: Pick<Approval, 'isOwn'>, stream: string): boolean {
  return isOwn === true && stream === ADHOC_STREAM;
}

/** What becomes of a call that a human changes, for the one who does. */
export function editOutcome(approval: Pick<Approval, 'isOwn' | 'definitionDigest'>, stream: string): string {
  if (hearsOnlyNo(approval, stream))
    return 'the agent in the editor hears only a no: you tell it to make the changed call, which then runs once without asking';
  return runsEdited(approval)
    ? 'it runs as changed, and the agent is told what was changed'
    : 'the agent is denied this call and told to make the changed one, which then runs once without asking';
}

/** What a human who ended a request says to the call of this digest. */
export function wordFor({ asked, answer }: RequestState, callDigest: string): 'yes' | 'no' {
  const { approval } = asked;
  if (approval === undefined || answer === undefined) return 'no';
  const isAsAsked = approval.callDigest === callDigest;
  if (answer.verdict === 'approved') return isAsAsked ? 'yes' : 'no';
  if (answer.verdict !== 'edited') return 'no';
  if (answer.edited?.callDigest === callDigest) return 'yes';
  return isAsAsked && runsEdited(approval) ? 'yes' : 'no';
}

/** What a call runs with by the yes to it, where a human has changed it. */
export function editedArgs({ asked: { approval }, answer }: RequestState): EditedCall['args'] | undefined {
  if (!approval || answer?.verdict !== 'edited' || !runsEdited(approval)) return undefined;
  return answer.edited?.args;
}

/**
 * A human's yes to another call than the one that waits: the same tool, with these arguments, once. Where Clifford makes
 * the call, it runs so; else it is refused, and the agent is told to make the other one, which is not asked about again.
 *
 * @throws {CliffordError} `NOT_AN_APPROVAL`, `EDIT_HIDDEN` when a part of the arguments is not in the log, `EDIT_SECRET`
 *   when what they are changed to cannot be, `EDIT_SAME`.
 */
export async function approveEdited(
  project: Project,
  id: string,
  {
    args,
    by,
    via,
    response,
  }: Answerer & { args: Readonly<Record<string, unknown>>; response?: string | undefined },
): Promise<CloseOutcome> {
  const request = await knownRequest(project, id);
  if (!request) return { accepted: false, request };
  const edited = editedCall(request, args, project);
  const word = { verdict: 'edited', edited, response: response ?? briefArguments(edited) } as const;
  return decideCall(project, id, { ...word, by, via });
}

/** The call that waits, as a person can edit it. @throws {CliffordError} `NOT_AN_APPROVAL`, `EDIT_HIDDEN` */
export function requireEditable(request: RequestState): Approval {
  const { id, asked } = request;
  const { approval } = asked;
  if (!approval) throw notAnApproval('edit', request);
  if (!isShownInPart(approval)) return approval;
  throw new CliffordError(`Cannot edit ${id}: the log has only a part of its arguments`, {
    code: 'EDIT_HIDDEN',
    fix: `Tell the agent what to do instead: clifford deny ${id} --reason "…"`,
  });
}

function editedCall(
  request: RequestState,
  args: Readonly<Record<string, unknown>>,
  { hideSecrets }: Pick<Project, 'hideSecrets'>,
): EditedCall {
  const { id } = request;
  const approval = requireEditable(request);
  const shown = shownArguments(args, hideSecrets);
  if (isShownInPart(shown))
    throw new CliffordError(`Cannot edit ${id}: there is a secret in it now, or it is too long to be kept`, {
      code: 'EDIT_SECRET',
      fix: 'What runs stands in the log: name a file or a variable that has the secret',
    });
  const callDigest = digestOf([approval.server, approval.tool, args]);
  if (callDigest === approval.callDigest)
    throw new CliffordError(`Cannot edit ${id}: it is the same call of ${callName(approval)}`, {
      code: 'EDIT_SAME',
      fix: `Allow it as it is with: clifford approve ${id}`,
    });
  return { args: shown.args, callDigest };
}
