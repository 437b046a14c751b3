import type { ScreenView } from '../../views/sprint-view.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import type { DraftFiles } from './draft-files.ts';
import { keptDrafts } from './keep-drafts.ts';
import { startScreenActor, type ScreenActor } from './screen-actor.ts';
import { initialState } from './screen-state.ts';
import type { ShowSprintOptions } from './show-sprint-options.ts';

/** Starts the actor of a screen that shows this sprint first, with what was typed about its questions before. */
export function openActor(
  { project, stream, owner, mayApprove = true, question, isBelow, onGo, notice }: ShowSprintOptions,
  sprint: ScreenView,
  files: DraftFiles,
): ScreenActor {
  const { state } = project;
  const sprints = onGo ? [...state.streams.keys()].filter((id) => id !== stream) : [];
  const waiting = openRequests(state).map(({ id }) => id);
  return startScreenActor({
    ...initialState({ isOwner: owner, mayApprove, sprint, question, isBelow, sprints }),
    ...keptDrafts(files, sprint.open, waiting),
    notice,
  });
}
