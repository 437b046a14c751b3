import { Presence } from '../../../workflow/project/presence.ts';
import { deciderOf } from '../callers/decider.ts';
import type { Serving } from '../serving.ts';
import type { Handlers } from './handlers.ts';

/** Notes that a human uses the page: as long as one does, nobody is called. */
export function lookingHandlers(serving: Serving): Pick<Handlers, 'looking'> {
  const presence = new Presence(serving.project.dir);
  return {
    looking: (_asked, caller) => {
      deciderOf(caller, serving).requireHuman('say that somebody is there');
      presence.mark();
      return {};
    },
  };
}
