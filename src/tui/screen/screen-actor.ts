import {
  createActor,
  fromTransition,
  type ActorRefFromLogic,
  type ActorSystem,
  type ActorSystemInfo,
} from 'xstate';
import type { ScreenEvent } from './screen-event.ts';
import type { ScreenState } from './screen-state.ts';
import type { Effect } from './screen-effect.ts';
import { stepScreen } from './step-screen.ts';

const logic = fromTransition<ScreenState, ScreenEvent, ActorSystem<ActorSystemInfo>, ScreenState, Effect>(
  // An actor that is stopped is told so as if by an event.
  (state, event, { emit }) =>
    String(event.type).startsWith('xstate.') ? state : stepScreen(state, event, emit),
  ({ input }) => input,
);

/** The actor behind a screen: components read its snapshot, keys and news are sent to it, it emits effects. */
export type ScreenActor = ActorRefFromLogic<typeof logic>;

/** Starts the actor of a screen. */
export function startScreenActor(input: ScreenState): ScreenActor {
  return createActor(logic, { input }).start();
}
