import { callTool } from '../../mcp/calls/call-tool.ts';
import { CallsAtWork } from '../../gateway/call/running-calls.ts';
import { readGatewaySettings } from '../../gateway/session/gateway-settings.ts';
import { callDigest, prepareChecked } from '../../gateway/call/checked-call.ts';
import type { CallPolicy } from '../../gateway/session/policy-in-force.ts';
import { placeOfCall, type Caller } from '../../gateway/call/place-of-call.ts';
import type { Target } from '../../gateway/call/target.ts';
import { exposedName } from '../../gateway/tools/exposed-name.ts';
import type { RawObject } from '../../gateway/server/manager-event.ts';
import type { Departure } from '../../mcp/transport/watched-transport.ts';
import type { Cli } from '../cli.ts';
import { decideAtTerminal, type HowDecided } from './decide-at-terminal.ts';

/** What a tool returned, or what is said instead. */
export type ToolResult = Awaited<ReturnType<typeof callTool>>;

/** One call of a person. */
export type CallToRun = {
  readonly target: Target;
  readonly args: RawObject;
  readonly caller: Caller;
  readonly policy: CallPolicy;
  /** What the target is by now; `undefined`: it is gone. */
  readonly current: () => Target | undefined;
  /** Whether a person can be asked at the terminal. */
  readonly isAttended: boolean;
  readonly signal: AbortSignal;
  /** Hands the result over, which says no where the person at the terminal did. Whether it arrived. */
  readonly handOver: (result: ToolResult, saidNo: boolean) => Promise<boolean>;
};

/**
 * Makes a call as an agent makes it (checked, judged, recorded), and hands its result over. `false`: the person at
 * the terminal does not want it any more, and nothing was handed over.
 */
export async function runCall(cli: Cli, order: CallToRun): Promise<boolean> {
  const { target, args, caller, policy, current, signal } = order;
  const { project, agent, session } = caller;
  const over = new AbortController();
  const stopped = new AbortController();
  const deciding = Promise.allSettled([decide(cli, order, { over: over.signal, stopped })]);
  const work: Promise<unknown>[] = [];
  let departure: Departure | undefined;
  const result = await callTool({
    tool: {
      name: exposedName(target.serverId, target.name),
      origin: { server: target.serverId, tool: target.name },
      prepare: (_args, call) =>
        prepareChecked(target, args, call, {
          policy,
          current,
          atWork: new CallsAtWork(),
          maxResultBytes: readGatewaySettings(session).maxResultBytes,
        }),
    },
    args,
    project,
    agent,
    session,
    signal: AbortSignal.any([signal, stopped.signal]),
    arrivedAt: performance.now(),
    progress: undefined,
    whenSent: (its) => {
      departure = its;
    },
    failed: () => undefined,
    background: (each) => void work.push(each),
  });
  over.abort();
  const [decided] = await deciding;
  const isWanted = !signal.aborted && !stopped.signal.aborted;
  const saidNo = decided.status === 'fulfilled' && decided.value === 'denied';
  if (isWanted && (await order.handOver(result, saidNo))) departure?.sent();
  else departure?.dropped(isWanted ? 'nobody reads it' : 'the command was ended');
  while (work.length > 0) await Promise.all(work.splice(0));
  if (decided.status === 'rejected') throw decided.reason;
  return isWanted;
}

async function decide(
  cli: Cli,
  { target, args, caller, isAttended, signal }: CallToRun,
  { over, stopped }: { over: AbortSignal; stopped: AbortController },
): Promise<HowDecided> {
  if (!isAttended) return 'over';
  const { stream } = await placeOfCall(caller);
  let how: HowDecided = 'stop';
  try {
    how = await decideAtTerminal(cli, caller.project, {
      stream,
      callDigest: callDigest(target, args),
      agentId: caller.agent.id,
      signal: AbortSignal.any([signal, over]),
    });
  } finally {
    // Nobody is left who could decide.
    if (how === 'stop') stopped.abort('the command was ended');
  }
  return how;
}
