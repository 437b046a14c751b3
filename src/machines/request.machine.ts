import { setup } from 'xstate';
import type { Fact } from './fact.ts';
import type { Reaching } from './reaching.ts';

/** The events a request knows. Those of its task and sprint end it unanswered. */
export type RequestEvent = Fact<Reaching<'request', 'own' | 'ends'>>;

/**
 * One request to a human, from the moment it is asked. It alone decides that the first answer wins.
 *
 * It has no context and no guards: the next state depends on the state and the event's type only.
 */
export const requestMachine = setup({
  types: { events: {} as RequestEvent },
}).createMachine({
  id: 'request',
  initial: 'open',
  states: {
    open: {
      on: {
        'help.answered': 'answered',
        'help.dismissed': 'dismissed',
        'task.completed': 'dismissed',
        'task.skipped': 'dismissed',
        'task.cancelled': 'dismissed',
        'sprint.completed': 'dismissed',
        'sprint.cancelled': 'dismissed',
      },
    },
    answered: { on: { 'help.delivered': 'delivered' } },
    delivered: {},
    dismissed: {},
  },
});
