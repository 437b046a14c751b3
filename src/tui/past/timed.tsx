import { useSelector } from '@xstate/react';
import { useContext, useMemo, type ReactNode } from 'react';
import { isRunByLog } from '../../views/sprints/standing.ts';
import { ClockContext, GoneAgentsContext, RunnerContext, stillClock } from '../terminal/clock.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';

/**
 * In the past it is the time of the moment that is shown: nothing that is told of it goes on, and its runner was at work
 * until it said that it left.
 */
export function Timed({ actor, children }: { actor: ScreenActor; children: ReactNode }) {
  const at = useSelector(actor, ({ context }) => context.past?.moment.at);
  const hadRunner = useSelector(actor, ({ context }) => isRunByLog(context.sprint));
  const [live, hasRunner] = [useContext(ClockContext), useContext(RunnerContext)];
  const gone = useContext(GoneAgentsContext);
  const clock = useMemo(() => (at === undefined ? live : stillClock(at)), [live, at]);
  return (
    <ClockContext value={clock}>
      <RunnerContext value={at === undefined ? hasRunner : hadRunner ? always : never}>
        <GoneAgentsContext value={at === undefined ? gone : none}>{children}</GoneAgentsContext>
      </RunnerContext>
    </ClockContext>
  );
}

const always = () => true;
const never = () => false;
const none = () => [];
