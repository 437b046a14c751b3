import { isBeingRun } from '../../workflow/queue/worker-of.ts';
import { Timed } from '../past/timed.tsx';
import {
  askedSeldom,
  ClockContext,
  createClock,
  GoneAgentsContext,
  RunnerContext,
} from '../terminal/clock.ts';
import { Editing, type OpenEditor } from '../drafts/editing.tsx';
import type { ScreenActor } from './screen-actor.ts';
import type { ScreenLook } from '../terminal/screen-look.ts';
import { Screen } from './screen.tsx';
import type { ShowSprintOptions } from './show-sprint-options.ts';
import { ReadPaneContext, type ReadPane } from '../feed/use-beside.ts';
import { goneAgents } from './who-is-told.ts';

const noEditor: OpenEditor = () => Promise.resolve({ problem: 'there is no editor here' });

/** The screen of a sprint, with all that its parts have from outside. */
export function sprintDrawing(
  actor: ScreenActor,
  { project, stream, owner, openEditor = noEditor, output, onKey, onAway }: ShowSprintOptions,
  { look, readPane }: { readonly look: ScreenLook; readonly readPane: ReadPane },
) {
  const version = () => actor.getSnapshot().context.sprint.version;
  const hasRunner = owner ? () => true : askedSeldom(() => isBeingRun(project, stream), version);
  // A runner at work tells what becomes of its agents.
  const gone = askedSeldom(() => (hasRunner() ? [] : goneAgents(project, stream)), version);
  return (
    <ClockContext value={createClock(look)}>
      <RunnerContext value={hasRunner}>
        <GoneAgentsContext value={gone}>
          <ReadPaneContext value={readPane}>
            <Timed actor={actor}>
              <Editing actor={actor} open={openEditor}>
                <Screen actor={actor} output={output} onKey={onKey} onAway={onAway} />
              </Editing>
            </Timed>
          </ReadPaneContext>
        </GoneAgentsContext>
      </RunnerContext>
    </ClockContext>
  );
}
