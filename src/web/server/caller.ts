import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { CliffordError } from '../../errors.ts';
import { agentAsAnswerer } from '../../events/answerer.ts';
import { plainAddress } from '../../lib/net/plain-address.ts';
import { failedReads } from '../../lib/processes/proc-file.ts';
import { hasProcessTable, readProcess } from '../../lib/processes/process-table.ts';
import { isStartedByAnotherUser } from '../../lib/processes/process-users.ts';
import {
  socketOwners,
  type Connection,
  type HiddenOwner,
  type Likely,
  type SocketOwners,
} from '../../lib/processes/socket-owners.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import {
  isSomebodyAtWork,
  whoCalls,
  whoseProcess,
  type Env,
  type PlaceOfWork,
} from '../../workflow/project/who-calls.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Answerer } from '../../workflow/requests/close-request.ts';
import { noAgentsIn } from './no-agents.ts';
import type { Among } from './serving.ts';
import type { Identity } from './tokens/authenticator.ts';

/** Who sends a request, and how. */
export type Caller = Identity & {
  readonly socket: Socket;
  /** The request comes from this machine, as far as the network tells: a tunnel ends here, too. */
  readonly isHere: boolean;
  /** Nobody on the way can read what is answered. */
  readonly isPrivate: boolean;
};

/** Who decides, and what they may. */
export type Decider = {
  readonly answerer: Answerer;
  /** @throws {CliffordError} `NOT_A_HUMAN`. */
  readonly requireHuman: (action: string) => void;
};

type Place = {
  readonly env: Env;
  readonly project: Project;
  /** `undefined`: no other is served beside it. */
  readonly among: Pick<Among, 'places'> | undefined;
};

/** What is known of connections, for each project: the agent of one is none that another knows. */
class PerConnection<T> {
  readonly #known = new WeakMap<Socket, Map<string, T>>();

  get(socket: Socket, { dir }: Project): T | undefined {
    return this.#known.get(socket)?.get(dir);
  }

  set(socket: Socket, { dir }: Project, value: T): void {
    const ofSocket = this.#known.get(socket) ?? new Map<string, T>();
    this.#known.set(socket, ofSocket.set(dir, value));
  }
}

/**
 * Who decides with a request. It is an agent where one has started this server, and where one has made the connection. Where
 * that cannot be told of a request from this machine, it decides nothing.
 *
 * @throws {CliffordError} `NOT_A_HUMAN`.
 */
export function deciderOf(caller: Caller, place: Place): Decider {
  const { project } = place;
  return deciderAmong(caller, place, { pids: likely, isPassedOver: noAgentsIn(project).among(project) });
}

function deciderAmong(caller: Caller, place: Place, expected: Likely): Decider {
  const { env, project } = place;
  const failed = failedReads();
  const agent = whoCalls(env, project)?.runId ?? agentAtOtherEnd(caller, place, expected);
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

/** So long what was found out of a connection is told again, in ms: how a state is shown may be asked ten times a second. */
const TOLD_MS = 5_000;

const told = new PerConnection<{ readonly at: number; readonly whyNot: string | undefined }>();

/**
 * Why nothing is decided with the requests of a connection, for whoever is about to try; `undefined`: it is, as far as can
 * be told now.
 */
export function whyNoDecision(caller: Caller, place: Place): string | undefined {
  const before = told.get(caller.socket, place.project);
  if (before && performance.now() - before.at < TOLD_MS) return before.whyNot;
  const whyNot = refusalToDecide(caller, place);
  told.set(caller.socket, place.project, { at: performance.now(), whyNot });
  if (whyNot === undefined) lately.set(tokenIn(caller, place), performance.now());
  return whyNot;
}

/** When something could last be decided with a token from here or from elsewhere, by project. */
const lately = new Map<string, number>();
const MOST_LATELY = 1_000;

/**
 * The same, for whoever is only told of it: what could be decided with the token a moment ago is taken to be so on its next
 * connection. A decision, and what only who decides may see, is looked up for each.
 */
export function whyNoDecisionLately(caller: Caller, place: Place): string | undefined {
  const key = tokenIn(caller, place);
  if (performance.now() - (lately.get(key) ?? -Infinity) < TOLD_MS) return undefined;
  if (lately.size > MOST_LATELY) lately.clear();
  return whyNoDecision(caller, place);
}

function tokenIn({ digest, isHere }: Caller, { project }: Place): string {
  return `${digest} ${isHere} ${project.dir}`;
}

function refusalToDecide(caller: Caller, place: Place): string | undefined {
  try {
    // Where one of the likely processes has made the connection, no other is looked for.
    deciderAmong(caller, place, { pids: likely }).requireHuman('decide here');
    return undefined;
  } catch (error) {
    if (error instanceof CliffordError && error.code === 'NOT_A_HUMAN') return error.inOneLine;
    throw error;
  }
}

/**
 * A browser has all its connections in one process, which is no agent's: it is looked at first for the next one. With a decision,
 * so is each that may be an agent's: any may have handed its connection on.
 */
const MOST_LIKELY = 8;
const likely = new Set<number>();

/** What is found out of a connection as a whole is kept with the same object. */
const connections = new WeakMap<Socket, Connection>();

function ownersOf(socket: Socket, expected: Likely): SocketOwners {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return { is: 'nobody' };
  if (localAddress === undefined || localPort === undefined) return { is: 'nobody' };
  const connection = connections.get(socket) ?? {
    local: { address: remoteAddress, port: remotePort },
    remote: { address: localAddress, port: localPort },
  };
  connections.set(socket, connection);
  return socketOwners(connection, expected);
}

/** One that has a connection with others is not: they would not be looked for. */
function expectFrom([pid, ...others]: readonly number[]): void {
  if (pid === undefined || others.length > 0) return;
  likely.delete(pid);
  likely.add(pid);
  for (const oldest of [...likely].slice(0, -MOST_LIKELY)) likely.delete(oldest);
}

/**
 * The agent whose process has made the connection; `undefined`: none has, or it comes from another machine, or this is no
 * Linux. It is looked up with each request that somebody decides with, and with some that are told more for that, while its
 * sender waits: one that is gone by then is not known.
 *
 * @throws {CliffordError} `NOT_A_HUMAN` when that cannot be told.
 */
function agentAtOtherEnd(caller: Caller, place: Place, expected: Likely): string | undefined {
  if (!hasProcessTable) return undefined;
  const agent = agentAmong(ownersOf(caller.socket, expected), caller, place);
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

/** Whether a connection that comes from this address comes from this machine: by whichever of its own addresses. */
export function isOwnAddress(address: string | undefined): boolean {
  if (address === undefined || isLoopback(address)) return address !== undefined;
  const from = plainAddress(address);
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some((each) => plainAddress(each.address) === from);
}

/** Whether an address is one of this machine alone. */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined || isIP(address) === 0) return false;
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

/** Whether a server that listens there is for this machine alone; by default it is. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host === undefined || host === 'localhost' || isLoopback(host);
}

function agentCalls(action: string, run: string): CliffordError {
  return new CliffordError(
    `Cannot ${action}: the request comes from a process of an agent (run ${run}), and a human decides`,
    {
      code: 'NOT_A_HUMAN',
      fix: 'Decide in a browser that no agent has started',
      recovery: 'give-up',
    },
  );
}

function nobodyThere(): CliffordError {
  return new CliffordError(
    'Cannot decide: whoever sent this is not there any more, so that it cannot be told from an agent',
    {
      code: 'NOT_A_HUMAN',
      fix: 'Send it again, and wait for what comes back',
      recovery: 'give-up',
    },
  );
}

function inDoubt(): CliffordError {
  return new CliffordError(
    'Cannot decide: which process of this machine sent this cannot be seen, and it could be one of an agent',
    {
      code: 'NOT_A_HUMAN',
      fix: 'Decide at a terminal, or in a browser of yours on this machine',
      recovery: 'give-up',
    },
  );
}
