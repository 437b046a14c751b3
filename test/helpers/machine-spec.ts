import type { AnyStateMachine, EventFromLogic } from 'xstate';
import { expect } from 'vitest';
import type { Kind } from '../../src/machines/instance.ts';
import { nameOf } from '../../src/machines/status-words.ts';

/**
 * Given past events, when one more arrives, the machine is in a state, refuses it, or does not care.
 * Runs no action: it calls only the machine's pure transition.
 */
export function specFor<M extends AnyStateMachine>(kind: Kind<M>) {
  return (past: ReadonlyArray<EventFromLogic<M>>) => ({
    when: (event: EventFromLogic<M>) => {
      const instance = kind.create();
      for (const earlier of past) {
        expect(instance.can(earlier), `given ${earlier.type} in ${nameOf(instance.value)}`).toBe(true);
        instance.step(earlier);
      }
      const before = nameOf(instance.value);
      const wasLegal = instance.can(event);
      instance.step(event);
      const after = nameOf(instance.value);
      return {
        /** The event is legal and leads to `state`. */
        becomes: (state: string) => {
          expect({ wasLegal, after }).toEqual({ wasLegal: true, after: state });
          return instance.context;
        },
        /** The machine refuses it and stays where it is. */
        isRefused: () => expect({ wasLegal, after }).toEqual({ wasLegal: false, after: before }),
      };
    },
  });
}
