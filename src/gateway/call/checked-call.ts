import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { assertMayAct } from '../../workflow/task/own-task.ts';
import { EXPLANATION_ARGUMENT } from '../../workflow/requests/explain-first.ts';
import { requestsOf } from '../../workflow/requests/find-request.ts';
import type { CallVerdict, PreparedCall, RecordedCall, ToolCall } from './tool.ts';
import { digestOf } from '../../lib/digest.ts';
import type { CallOptions } from '../server/call-options.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { CallDeps, CheckedCall } from './call-deps.ts';
import { cappedResult } from './capped-result.ts';
import { placeOfCall } from './place-of-call.ts';
import { ProgressRelay } from './progress-relay.ts';
import { refusal } from './tool-result.ts';
import type { Target } from './target.ts';
import { untilAllowed } from './until-allowed.ts';

/**
 * Judges a call of another server: it runs, or it is refused with a result that says by which rule, or a human is
 * asked before. Whatever is decided is recorded before anything happens.
 */
export async function prepareChecked(
  target: Target,
  sent: RawObject,
  call: ToolCall,
  deps: CallDeps,
): Promise<PreparedCall> {
  const { project, agent, session } = call;
  // Before anything is recorded as allowed.
  assertMayAct(project.state, agent, session);
  const { args, said } = withoutExplanation(target, sent, call);
  const digest = callDigest(target, args);
  const place = await placeOfCall(call, ({ approval }) => approval?.callDigest === digest);
  // Nothing runs by what only a snapshot says.
  await project.confirm(place.stream);
  const decision = deps.policy.decide(project, target, args, place);
  if (decision.decision === 'deny') {
    const verdict: CallVerdict = { type: 'tool.denied', data: { rule: decision.rule } };
    return { place, verdict, run: async () => refusal(decision.reason) };
  }
  const problem = target.problemOf(args);
  if (problem !== undefined) return { place, run: async () => refusal(problem) };
  const checked: CheckedCall = { target, args, digest, place, decision, said };
  const own = { ...call, ...relayOf(call) };
  if (decision.decision === 'allow') {
    const verdict: CallVerdict = { type: 'tool.allowed', data: { rule: decision.rule } };
    return { place, verdict, run: (recorded) => runTarget(target, { checked, call: own, deps, recorded }) };
  }
  return {
    place,
    asks: true,
    run: async (recorded) => {
      const allowed = await untilAllowed(checked, own, { ...deps, recorded });
      if ('result' in allowed) return allowed.result;
      const { target: now, edited } = allowed;
      const isChanged = edited !== undefined && callDigest(now, edited) !== digest;
      const runs = isChanged ? { ...checked, args: edited } : checked;
      const result = await runTarget(now, { checked: runs, call: own, deps, recorded });
      return isChanged ? withNote(result, edited) : result;
    },
  };
}

/** The result of a call that ran as a human has changed it: the agent has to know, or it reads it as that of its own. */
function withNote(result: CallToolResult, edited: RawObject): CallToolResult {
  const text =
    '[Clifford: a human changed the arguments of this call before it ran. The result above is of ' +
    `${JSON.stringify(edited)}]`;
  return { ...result, content: [...(result.content ?? []), { type: 'text', text }] };
}

/**
 * The arguments as they are judged and made, and what the agent says of the call. It may say that of a call that a human
 * has asked about; otherwise an argument of that name is one like any other.
 */
function withoutExplanation(
  target: Target,
  sent: RawObject,
  { project }: ToolCall,
): { readonly args: RawObject; readonly said?: string } {
  const { [EXPLANATION_ARGUMENT]: said, ...args } = sent;
  if (typeof said !== 'string') return { args: sent };
  const digest = callDigest(target, args);
  const isAsked = requestsOf(project.state.streams.loaded()).some(
    ({ asked: { approval }, answer }) => answer?.verdict === 'questioned' && approval?.callDigest === digest,
  );
  return isAsked ? { args, said } : { args: sent };
}

/** What tells one call from another: the digest of its server, its tool and its arguments. */
export function callDigest({ serverId, name }: Pick<Target, 'serverId' | 'name'>, args: RawObject): string {
  return digestOf([serverId, name, args]);
}

type RelayedCall = ToolCall & { readonly relay: ProgressRelay | undefined };

/** All progress of a call is one count, whoever it comes from. */
function relayOf({ progress, session }: ToolCall): Pick<RelayedCall, 'relay' | 'progress'> {
  const relay = progress && new ProgressRelay(progress, session.waitSettings.progressMs);
  return { relay, progress: relay?.step };
}

/** Runs a call that is allowed. Its result as it came, unless it is too large. */
async function runTarget(
  target: Target,
  {
    checked: { args, place },
    call,
    deps,
    recorded: { callId },
  }: { checked: CheckedCall; call: RelayedCall; deps: CallDeps; recorded: RecordedCall },
): Promise<CallToolResult> {
  const { relay, signal, project } = call;
  const options: CallOptions = { signal, ...(relay === undefined ? {} : { onProgress: relay.pass }) };
  const leave = deps.atWork.enter(target.serverId, { call, place });
  const stop = relay?.begin(`${target.serverId} ${target.name}`);
  try {
    const result = await target.run(args, options);
    const cap = { dir: project.dir, callId, method: target.method, maxBytes: deps.maxResultBytes };
    // Whatever the server sent: an agent that called it directly would get the same.
    return (await cappedResult(result, cap)) as CallToolResult;
  } finally {
    stop?.();
    leave();
  }
}
