import { hasProcessTable, readProcess } from '../../../lib/processes/process-table.ts';
import { isStartedByAnotherUser } from '../../../lib/processes/process-users.ts';
import type { HiddenOwner, SocketOwners } from '../../../lib/processes/socket-owners.ts';
import { isSomebodyAtWork, whoseProcess, type PlaceOfWork } from '../../../workflow/project/who-calls.ts';
import type { Caller, Place } from './caller.ts';
import { expectFrom, ownersOf } from './connection-owners.ts';
import { noAgentsIn } from './no-agents.ts';
import { inDoubt, nobodyThere } from './not-a-human.ts';

/**
 * The agent whose process has made the connection; `undefined`: none has, or it comes from another machine, or this is no
 * Linux. It is looked up with each request that somebody decides with, and with some that are told more for that, while its
 * sender waits: one that is gone by then is not known.
 *
 * @param isNoAgents - Which processes are known to be no agent's. Absent: where a likely one has it, no other is looked for.
 * @throws {CliffordError} `NOT_A_HUMAN` when that cannot be told.
 */
export function agentAtOtherEnd(
  caller: Caller,
  place: Place,
  isNoAgents?: (pid: number) => boolean,
): string | undefined {
  if (!hasProcessTable) return undefined;
  const agent = agentAmong(ownersOf(caller.socket, isNoAgents), caller, place);
  void noAgentsIn(place.project).lookLater(place.project);
  return agent;
}

/**
 * The agent among those that have a connection; `undefined`: none is.
 *
 * @internal for tests
 * @throws {CliffordError} `NOT_A_HUMAN` when that cannot be told.
 */
export function agentAmong(
  owners: SocketOwners,
  { socket, isHere }: Pick<Caller, 'socket' | 'isHere'>,
  { project, among }: Pick<Place, 'project' | 'among'>,
): string | undefined {
  const places = () => among?.places() ?? [project];
  switch (owners.is) {
    case 'seen': {
      const agent = firstOf(owners.pids, project);
      if (agent !== undefined) return agent;
      // One that has ended since may have handed it on to one that was looked at before.
      if (!owners.pids.every(isThere)) throw nobodyThere();
      expectFrom(owners.pids);
      return undefined;
    }
    case 'nobody':
      // Of a connection that is closed already nobody knows where it came from.
      if (isHere || socket.remoteAddress === undefined) throw nobodyThere();
      return undefined;
    case 'hidden':
      if (!isHumans(owners, places())) throw inDoubt();
      return undefined;
    case 'unsaid': {
      const agent = firstOf(owners.pids, project);
      if (agent !== undefined) return agent;
      if (!owners.pids.every(isThere) || places().some(isSomebodyAtWork)) throw inDoubt();
      return undefined;
    }
  }
}

/**
 * Whether a connection that is seen among no open files is none of an agent: a process hides it that is no agent's, such as the
 * `sshd` of a tunnel. Where none does, somebody keeps it by means that leave no trace, as an agent may, also when the run is over.
 * Where an agent lives that may, one that hides counts as a tunnel alone: many have an `ssh-agent`.
 */
function isHumans({ among, sentTo, others }: HiddenOwner, places: readonly PlaceOfWork[]): boolean {
  const areNoAgents = (pids: readonly number[]) =>
    places.every((place) => firstOf(pids, place) === undefined) && pids.every(isThere);
  if (among.length === 0 || !areNoAgents([...among, ...sentTo])) return false;
  return among.some(isStartedByAnotherUser) || areNoAgents(others);
}

/** Whether what was found out of a process just now is so: of one that has ended, nothing is found. */
function isThere(pid: number): boolean {
  return readProcess(pid)?.isDead === false;
}

/** The agent that the first of these processes that is any agent's belongs to. */
function firstOf(pids: readonly number[], project: PlaceOfWork): string | undefined {
  for (const pid of pids) {
    const agent = whoseProcess(pid, project);
    if (agent) return agent.runId;
  }
  return undefined;
}
