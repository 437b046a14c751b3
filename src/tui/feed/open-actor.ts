import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import type { DraftFiles } from '../drafts/draft-files.ts';
import { keptDrafts } from '../drafts/keep-drafts.ts';
import { startScreenActor, type ScreenActor } from '../screen/screen-actor.ts';
import { initialState } from '../screen/screen-state.ts';
import type { ShowSprintOptions } from '../screen/show-sprint-options.ts';

/** Starts the actor of a screen that shows this sprint first, with what was typed about its questions before. */
export function openActor(
  { project, stream, owner, mayApprove = true, question, isBelow, among, onGo, notice }: ShowSprintOptions,
  sprint: ScreenView,
  files: DraftFiles,
): ScreenActor {
  const { state } = project;
  const sprints = onGo ? [...state.streams.keys()].filter((id) => id !== stream) : [];
  const waiting = openRequests(state).map(({ id }) => id);
  return startScreenActor({
    ...initialState({ isOwner: owner, mayApprove, sprint, question, isBelow, among, sprints }),
    ...keptDrafts(files, sprint.open, waiting),
    notice,
  });
}
