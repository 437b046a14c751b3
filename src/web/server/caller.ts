import { isIP, type Socket } from 'node:net';
import { CliffordError } from '../../errors.ts';
import { agentAsAnswerer } from '../../events/answerer.ts';
import { socketOwner } from '../../lib/processes/socket-owner.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { whoCalls, whoseProcess, type Env } from '../../workflow/project/who-calls.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Answerer } from '../../workflow/requests/close-request.ts';
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

type Place = { readonly env: Env; readonly project: Project };

/**
 * Who decides with a request. It is an agent where one has started this server, and where one has made the connection, as
 * far as that can be told: on Linux, from this machine.
 */
export function deciderOf(caller: Caller, { env, project }: Place): Decider {
  const agent = whoCalls(env, project)?.runId ?? agentAtOtherEnd(caller, project);
  return {
    answerer: { by: agent === undefined ? caller.name : agentAsAnswerer(agent), via: 'web' },
    requireHuman: (action) => {
      requireHuman({ env }, action, project);
      if (agent !== undefined) throw agentCalls(action, agent);
    },
  };
}

/** The processes at the other ends of connections: one process has both ends of its own for good. */
const owners = new WeakMap<Socket, { readonly pid: number | undefined }>();

/** The agent whose process has made the connection; `undefined`: none, as far as can be told. */
function agentAtOtherEnd({ socket, isHere }: Caller, project: Project): string | undefined {
  const { remotePort, localPort } = socket;
  if (!isHere || remotePort === undefined || localPort === undefined) return undefined;
  const known = owners.get(socket) ?? { pid: socketOwner({ localPort: remotePort, remotePort: localPort }) };
  owners.set(socket, known);
  return known.pid === undefined ? undefined : whoseProcess(known.pid, project)?.runId;
}

/** Whether an address is one of this machine alone. */
export function isLoopback(address: string | undefined): boolean {
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
