import type { RequestState } from '../../../machines/project-state.ts';
import { seeChanges } from '../../../views/calls/seen-changes.ts';
import type { Project } from '../../../workflow/project/project.ts';
import { namesFiles } from '../../../workflow/requests/compare-files.ts';
import { requireAsSeen } from '../../../workflow/requests/require-as-seen.ts';
import type { Caller } from '../callers/caller.ts';
import { Refusal } from '../refusal.ts';

/**
 * A yes to a call that names files says what was seen of them, and that is what the call would make of them now. Only who was not
 * shown them, since others could read the connection, says yes to the arguments alone.
 *
 * @throws {Refusal} 428 when it does not say so.
 * @throws {CliffordError} `FILES_CHANGED` when it would make something else of them.
 */
export async function requireSeen(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  request: RequestState,
  seen: string | undefined,
  { isPrivate }: Pick<Caller, 'isPrivate'>,
): Promise<void> {
  const { asked, phase } = request;
  if (seen === undefined && isPrivate && phase === 'open' && namesFiles(asked.approval, seeChanges))
    throw unseen(request);
  await requireAsSeen(project, request, seen, seeChanges);
}

function unseen({ id }: RequestState): Refusal {
  return new Refusal(428, {
    code: 'FILES_UNSEEN',
    message: `Cannot allow ${id}: it may write files, and the yes does not say what was seen of them`,
    fix: `Look at /api/questions/${id} until it has "seen", and send that along; clifford approve ${id} allows its arguments unseen`,
  });
}
