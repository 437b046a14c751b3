import { agentAsAnswerer } from '../../../events/answerer.ts';
import { failedReads } from '../../../lib/processes/proc-file.ts';
import { requireHuman } from '../../../workflow/project/require-human.ts';
import { whoCalls } from '../../../workflow/project/who-calls.ts';
import type { Answerer } from '../../../workflow/requests/close-request.ts';
import { agentAtOtherEnd } from './agent-at-other-end.ts';
import type { Caller, Place } from './caller.ts';
import { noAgentsIn } from './no-agents.ts';
import { agentCalls, inDoubt } from './not-a-human.ts';

/** Who decides, and what they may. */
export type Decider = {
  readonly answerer: Answerer;
  /** @throws {CliffordError} `NOT_A_HUMAN`. */
  readonly requireHuman: (action: string) => void;
};

/**
 * Who decides with a request. It is an agent where one has started this server, and where one has made the connection. Where
 * that cannot be told of a request from this machine, it decides nothing.
 *
 * @throws {CliffordError} `NOT_A_HUMAN`.
 */
export function deciderOf(caller: Caller, place: Place): Decider {
  return deciderAmong(caller, place, noAgentsIn(place.project).among(place.project));
}

/** The same at less cost, for whoever is only told of it: where one that is likely to has made the connection, no other is looked for. */
export function likelyDeciderOf(caller: Caller, place: Place): Decider {
  return deciderAmong(caller, place);
}

function deciderAmong(caller: Caller, place: Place, isNoAgents?: (pid: number) => boolean): Decider {
  const { env, project } = place;
  const failed = failedReads();
  const agent = whoCalls(env, project)?.runId ?? agentAtOtherEnd(caller, place, isNoAgents);
  // What could not be read, as where this server has too many files open, may be what tells an agent.
  if (agent === undefined && failedReads() !== failed) throw inDoubt();
  return {
    answerer: { by: agent === undefined ? caller.name : agentAsAnswerer(agent), via: 'web' },
    requireHuman: (action) => {
      requireHuman({ env }, action, project);
      if (agent !== undefined) throw agentCalls(action, agent);
    },
  };
}
