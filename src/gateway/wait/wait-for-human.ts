import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { after, untilLimit } from './call-limit.ts';
import { keepAlive } from './keep-alive.ts';
import type { ToolCall } from '../call/tool.ts';
import { isTimeOut } from './wait-limits.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { Waiters } from './waiters.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** How a wait for a human ended. */
export type Wait = { readonly is: 'over'; readonly request: RequestState } | Unanswered;

/** A wait that ended while the question stays open. */
export type Unanswered =
  /** The client would soon give the call up. */
  | { readonly is: 'limited' }
  /** The time limit of the question is over, for this agent. */
  | { readonly is: 'expired'; readonly afterMs: number }
  /** The tool was switched off. */
  | { readonly is: 'switched-off' };

/** What else may end a wait. */
export type WaitOptions = {
  /** How long the calls of this agent wait for the question altogether, in ms. */
  readonly deadlineMs?: number | undefined;
  /** The client waits as long as it takes, whatever is known of its limits. */
  readonly isUnlimited?: boolean;
  /** Arranges that a function is called when the tool is switched off, until the returned one is called. */
  readonly onSwitchedOff?: (end: () => void) => () => void;
};

/**
 * Waits until a human has answered or dismissed a request, woken by the log; the client is told that
 * the call is alive. It ends before that, and the log says so, when the client would not wait longer, or
 * when a limit of the question is over: the request stays open, and calls for it wait again.
 *
 * @throws the abort reason when the call is cancelled or the client leaves. Nobody gets its result.
 */
export async function waitForHuman(
  request: RequestState,
  call: ToolCall,
  { deadlineMs, isUnlimited = false, onSwitchedOff }: WaitOptions = {},
): Promise<Wait> {
  if (request.phase !== 'open') return { is: 'over', request };
  const { project, agent, session, signal } = call;
  const { id } = request;
  const waiters = (session.waiters ??= new Waiters(agent.id));
  call.background(waiters.enter(project, request));

  const stop = new AbortController();
  let unanswered: Unanswered | undefined;
  const end = (how: Unanswered) => {
    unanswered ??= how;
    stop.abort();
  };
  const release = [
    after(isUnlimited ? undefined : untilLimit(call), () => end({ is: 'limited' })),
    deadlineMs === undefined
      ? undefined
      : after(deadlineMs - waiters.waitedMs(id), () => end({ is: 'expired', afterMs: deadlineMs })),
    onSwitchedOff?.(() => end({ is: 'switched-off' })),
    keepAlive({
      send: call.progress,
      everyMs: session.waitSettings.progressMs,
      message: (ms) => `waiting for a human ${waitedText(ms)}, question ${id}`,
    }),
  ];
  try {
    const over = await project.until(endOf(request), { signal: AbortSignal.any([signal, stop.signal]) });
    await waiters.leave(id);
    return { is: 'over', request: over };
  } catch (error) {
    if (signal.aborted) {
      call.background(waiters.leave(id, { why: whyCancelled(call) }));
      throw error;
    }
    if (!unanswered) {
      await waiters.leave(id);
      throw error;
    }
    // The client's limit is near: what is recorded must not hold up the result.
    call.background(waiters.leave(id, departed(unanswered)));
    if (unanswered.is === 'expired') waiters.startAnew(id);
    return unanswered;
  } finally {
    for (const each of release) each?.();
  }
}

/** For `Project.until`: the request, once it is not open any more. */
export function endOf({ stream, id }: Pick<RequestState, 'stream' | 'id'>) {
  return ({ streams }: ProjectState): RequestState | undefined => {
    const request = streams.get(stream)?.requests.get(id);
    return request?.phase === 'open' ? undefined : request;
  };
}

function departed(unanswered: Unanswered): { why: string } | { afterMs: number } {
  switch (unanswered.is) {
    case 'limited':
      return { why: "the call was answered before the client's limit" };
    case 'switched-off':
      return { why: `${ownTool.askClarification} was switched off` };
    case 'expired':
      return { afterMs: unanswered.afterMs };
  }
}

/** Why a call ended that its client ended. A time-out of the client is a limit for later calls. */
function whyCancelled({ session, signal, arrivedAt }: ToolCall): string {
  if (session.endedBecause !== undefined) return session.endedBecause;
  const { reason } = signal;
  if (isTimeOut(reason)) {
    session.gaveUpAfterMs = Math.min(session.gaveUpAfterMs ?? Infinity, performance.now() - arrivedAt);
  }
  // The client may say why; the SDK makes up an error when it does not.
  const said = typeof reason === 'string' && reason !== '' ? reason : 'the client gave no reason';
  return `the call was cancelled: ${said}`;
}
