import type { RequestState } from '../../machines/project-state.ts';
import type { QuestionView } from '../../views/requests/question-view.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { ComparedFiles } from '../../workflow/requests/compare-files.ts';
import { requestById } from '../../workflow/requests/find-request.ts';

type Place = Pick<Project, 'root' | 'state' | 'hideSecrets'>;

/**
 * What stands now in the files that a call would change, and what is seen of that in short, of one that waits. What looks at them is
 * loaded when one does.
 *
 * @param whole - Its arguments as they will run: secrets stay in the files, too. Default: as the log has them.
 */
export async function filesOfCall(
  project: Place,
  request: RequestState,
  whole?: { readonly args: unknown },
): Promise<Pick<ComparedFiles, 'files' | 'seen'> | undefined> {
  if (request.phase !== 'open' || !request.asked.approval?.isOwn) return undefined;
  const { lookAtFiles } = await import('../../tui/feed/look-at-files.ts');
  const { files, seen } = await lookAtFiles(project, [request], whole);
  return { files: files.get(request.id) ?? new Map(), seen: seen.get(request.id) };
}

/** A question, that of a call with what stands now in the files that it would change. */
export async function withFiles(project: Place, question: QuestionView): Promise<QuestionView> {
  const request = requestById(project.state, question.id);
  const found = request && (await filesOfCall(project, request, question.revealed ?? undefined));
  return found ? { ...question, files: found.files } : question;
}

/**
 * A yes is one to what was shown.
 *
 * @param seen - What was seen of it in short. `undefined`: it names no files that are looked at.
 * @throws {CliffordError} `FILES_CHANGED` when it would make something else of its files by now.
 */
export async function requireStillSo(
  project: Place,
  request: RequestState,
  seen: string | undefined,
): Promise<void> {
  if (seen === undefined) return;
  const [{ requireAsSeen }, { seeChanges }] = await Promise.all([
    import('../../workflow/requests/require-as-seen.ts'),
    import('../../views/calls/seen-changes.ts'),
  ]);
  await requireAsSeen(project, request, seen, seeChanges);
}
