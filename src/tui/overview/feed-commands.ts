import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import { decidesCall } from '../screen/feed-offers.ts';
import { lookAtFiles } from '../screen/look-at-files.ts';
import type { Commands } from '../screen/screen-state.ts';
import type { OverviewActor } from './overview-actor.ts';
import { pickedItem, type OverviewState } from './overview-state.ts';

type CommandDeps = {
  readonly project: Pick<Project, 'root' | 'state' | 'subscribe' | 'hideSecrets'>;
  /** The command lines of these calls, taken apart. */
  readonly partsOf: (waiting: readonly RequestState[]) => Promise<Commands>;
};

/** Tells the overview what the command of the call does that its cursor is on, and what stands in its files: once, and anew when a human has decided on one. */
export function feedCommands(actor: OverviewActor, { project, partsOf }: CommandDeps): () => void {
  const looked = new Set<string>();
  const look = (state: OverviewState) => {
    const item = pickedItem(state);
    if (!item?.approval || looked.has(item.id)) return;
    const request = requestById(project.state, item.id);
    if (!request) return;
    looked.add(item.id);
    // Without it the call is shown all the same.
    partsOf([request]).then(
      (commands) => actor.send({ type: 'taken-apart', commands }),
      () => undefined,
    );
    lookAtFiles(project, [request]).then(
      (looked) => actor.send({ type: 'compared-files', ...looked }),
      () => undefined,
    );
  };
  look(actor.getSnapshot().context);
  const looking = actor.subscribe(({ context }) => look(context));
  const stopListening = project.subscribe((events) => {
    if (decidesCall(events)) looked.clear();
  });
  return () => {
    looking.unsubscribe();
    stopListening();
  };
}
