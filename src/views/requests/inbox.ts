import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { askerOf } from './asker.ts';
import { describeRequest, type RequestView } from './describe-request.ts';
import { folderOfCall, type FolderOf } from '../calls/folder-of-call.ts';
import { byLogAlone, isAwaited, type IsAlive } from '../sprints/gone-agent.ts';
import { byUrgency } from './request-order.ts';
import { riskOf, type Risk } from '../calls/risk.ts';

/** Something that waits for a human. */
export type InboxItem = RequestView & {
  readonly asker: string;
  /** What a yes may lead to. */
  readonly risk: Risk;
  /** Where its agent works: the files of a call of its own tools are named from there. Default: they stand as they were named. */
  readonly folder?: string | undefined;
};

/**
 * Everything that waits for a human, in all sprints and outside: the greatest risk first, then what somebody waits for, then the oldest.
 *
 * @param isAlive - Default: what the log says counts.
 */
export function inboxOf(
  { streams }: Pick<ProjectState, 'streams'>,
  isAlive: IsAlive = byLogAlone,
): InboxItem[] {
  return streams
    .loaded()
    .flatMap((sprint) => waitingIn(sprint, isAlive))
    .toSorted(byUrgency);
}

/** What of it belongs to one stream. @param folderOf - Default: nothing is said of where its agents work. */
export function waitingIn(sprint: SprintState, isAlive: IsAlive, folderOf?: FolderOf): InboxItem[] {
  return [...sprint.requests.values()]
    .filter(({ phase }) => phase === 'open')
    .map((request) => ({
      ...describeRequest(request),
      folder: folderOfCall(request, sprint, folderOf),
      isAwaited: isAwaited(sprint, request, isAlive),
      asker: askerOf(request),
      risk: riskOf(request.asked.approval),
    }));
}
