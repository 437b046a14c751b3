import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { RequestState } from '../../machines/project-state.ts';
import { assertMayAct } from '../../workflow/task/own-task.ts';
import { definitionChange } from '../../workflow/policy/definition-change.ts';
import { keptDefinition } from '../../workflow/policy/definition-store.ts';
import { definitionStanding } from '../../workflow/policy/pins.ts';
import { askApproval, claimApproval } from '../../workflow/requests/approval.ts';
import { holdCall } from '../../workflow/requests/held-call.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import { editedArgs, wordFor } from '../../workflow/requests/edited-call.ts';
import { replyText } from '../../workflow/requests/reply-text.ts';
import type { RecordedCall, ToolCall } from './tool.ts';
import { refusal, textResult } from './tool-result.ts';
import { unlessSettled } from '../wait/unless-settled.ts';
import { waitForHuman, type Unanswered } from '../wait/wait-for-human.ts';
import { waitedText } from '../../lib/time/duration.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { CallDeps, CheckedCall } from './call-deps.ts';
import type { Target } from './target.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** A call may run, against what the target is by now, and as a human has changed it; or what the agent gets instead. */
type Allowed = { readonly target: Target; readonly edited?: RawObject } | { readonly result: CallToolResult };

/** MCP knows five annotations, a title the longest of them. In UTF-16 units, of the name and of the value. */
const MAX_ANNOTATIONS = 20;
const MAX_ANNOTATION_LENGTH = 200;

type Deps = Pick<CallDeps, 'policy' | 'current' | 'remembered'> & { readonly recorded: RecordedCall };

/**
 * Asks a human whether a call may run and waits for the word, as every question to a human is waited for. What was
 * decided is recorded when it returns.
 *
 * A yes stands for the call as it was asked about: if the tool was defined anew meanwhile, or another call has used
 * the yes, the human is asked again. If the policy has come to decide it, the wait is over, and it wins over any yes.
 *
 * @throws {CliffordError} `ATTEMPT_ENDED`
 * @throws the abort reason when the call is cancelled.
 */
export async function untilAllowed(checked: CheckedCall, call: ToolCall, deps: Deps): Promise<Allowed> {
  const { args, place } = checked;
  const { project, agent, session } = call;
  const { policy, recorded } = deps;
  let { target, decision } = checked;
  for (;;) {
    const request = await ask({ ...checked, target, decision }, call, deps);
    const isLeftToHuman = () => {
      const now = deps.current();
      return now === undefined || policy.decide(project, now, args, place).decision === 'confirm';
    };
    const release = await holdCall(request, args);
    const wait = await unlessSettled(
      {
        project,
        request,
        isLeftToHuman,
        changes: [(look) => project.subscribe(look), (look) => policy.onChange(look)],
        signal: call.signal,
        settledBy: SETTLED_BY,
      },
      (signal) => waitForHuman(request, { ...call, signal }, { deadlineMs: policy.approvalTimeoutMs }),
    ).finally(release);
    if (wait.is === 'limited' || wait.is === 'expired')
      return { result: await withoutWord(wait, request, deps) };
    const ended = wait.is === 'over' ? wait.request : request;
    call.delivers([ended]);
    assertMayAct(project.state, agent, session);
    const isOver = wait.is === 'over' && ended.dismissal?.via !== SETTLED_BY.via;
    if (isOver && wordFor(ended, checked.digest) === 'no') return { result: await refused(ended, deps) };

    const now = deps.current();
    if (!now)
      return {
        result: refusal(
          `${callName({ server: target.serverId, tool: target.name })} is gone: its server does not have it any more`,
        ),
      };
    const isAsShown = now.digest === target.digest;
    target = now;
    const edited = isOver && isAsShown ? editedArgs(ended) : undefined;
    if (isJsonObject(edited)) {
      const problem = await editProblem(edited, { ...checked, target }, call, deps);
      if (problem !== undefined) return { result: refusal(problem) };
      if (await claimApproval(project, ended, recorded.callId)) return { target, edited };
    }
    decision = policy.decide(project, now, args, place);
    if (decision.decision === 'deny') {
      await recorded.decided({ type: 'tool.denied', data: { rule: decision.rule } });
      return { result: refusal(decision.reason) };
    }
    const isYes = isOver && isAsShown && edited === undefined;
    if (isYes && (await claimApproval(project, ended, recorded.callId))) return { target };
    if (decision.decision === 'allow') {
      await recorded.decided({ type: 'tool.allowed', data: { rule: decision.rule } });
      return { target };
    }
  }
}

/** Why a call does not run as a human has changed it: the policy has the last word, and the tool's own schema. Recorded. */
async function editProblem(
  edited: RawObject,
  { target, place }: CheckedCall,
  { project }: ToolCall,
  { policy, recorded }: Deps,
): Promise<string | undefined> {
  const { decision, rule, reason } = policy.decide(project, target, edited, place);
  const misfit = decision === 'deny' ? undefined : target.problemOf(edited);
  if (decision !== 'deny' && misfit === undefined) return undefined;
  const why = misfit === undefined ? rule : 'what a human made of it does not fit the tool';
  await recorded.decided({ type: 'tool.denied', data: { rule: why } });
  return `A human changed this call, so it did not run as you made it. With ${JSON.stringify(edited)} it did not run either: ${misfit ?? reason}`;
}

/** Who ends a question that a rule has answered meanwhile. */
const SETTLED_BY = { by: 'clifford', via: 'mcp' } as const;

async function ask(
  { target, args, digest, place, decision, said }: CheckedCall,
  { project, agent }: ToolCall,
  { policy, recorded, remembered }: Deps,
): Promise<RequestState> {
  const { serverId, name, definition } = target;
  await remembered?.();
  const change = await changeOf(project, target);
  const deadlineMs = policy.approvalTimeoutMs;
  const annotations = annotationsOf(definition);
  const toApprove = {
    ...place,
    agent,
    said,
    deadlineMs,
    approval: {
      callId: recorded.callId,
      server: serverId,
      tool: name,
      args,
      callDigest: digest,
      definitionDigest: target.digest,
      rule: decision.rule,
      trust: policy.trustOf(serverId),
      annotations,
      change,
    },
  };
  return recorded.asked((before) => askApproval(project, toApprove, before));
}

/** How the definition differs from the one that is known, if it does. */
async function changeOf(
  { dir, state }: ToolCall['project'],
  { serverId: server, name: tool, definition, digest }: Target,
): Promise<string | undefined> {
  if (definitionStanding(state.pins, { server, tool, digest }) !== 'changed') return undefined;
  const known = state.pins.get(server)?.get(tool) ?? '';
  return definitionChange(await keptDefinition(dir, known), definition);
}

type Annotations = NonNullable<Parameters<typeof askApproval>[1]['approval']['annotations']>;

/** As the server says them, for the human: whether they are believed stands beside them. Only so much as one reads. */
function annotationsOf({ annotations }: Target['definition']): Annotations | undefined {
  if (!isJsonObject(annotations)) return undefined;
  const said = Object.entries(annotations).slice(0, MAX_ANNOTATIONS);
  return Object.fromEntries(
    said.flatMap(([name, value]): [string, string | number | boolean][] => {
      const key = cut(name);
      if (typeof value === 'string') return [[key, cut(value)]];
      return typeof value === 'boolean' || typeof value === 'number' ? [[key, value]] : [];
    }),
  );
}

function cut(text: string): string {
  return text.length <= MAX_ANNOTATION_LENGTH ? text : `${text.slice(0, MAX_ANNOTATION_LENGTH)}…`;
}

/** A human, or the end of the task, has said no. */
async function refused(request: RequestState, { recorded }: Deps): Promise<CallToolResult> {
  const by = request.answer?.by ?? request.dismissal?.by ?? 'clifford';
  await recorded.decided({ type: 'tool.denied', data: { by, requestId: request.id } });
  return refusal(replyText(request) ?? '');
}

/** Nobody has said anything, and the agent cannot wait longer, or need not. */
async function withoutWord(
  wait: Unanswered,
  { id, asked }: RequestState,
  { recorded }: Deps,
): Promise<CallToolResult> {
  const what = callName(asked.approval);
  if (wait.is !== 'expired') {
    return textResult(
      `No decision yet. A human was asked whether this call of ${what} may run (${id}); it has not run. Make the ` +
        'same call again, with exactly the same arguments, to go on waiting; do not go on with what depends on it.',
    );
  }
  const waited = waitedText(wait.afterMs);
  const rule = `${asked.approval?.rule}: no human decided within ${waited}`;
  await recorded.decided({ type: 'tool.denied', data: { rule } });
  return refusal(
    `No human allowed this call of ${what} within ${waited} (${rule}), so it did not run. Do without it, and say so ` +
      `when you complete the task. The request (${id}) stays open: if it is allowed later, ${ownTool.getSprintContext} says ` +
      'so, and the same call with exactly the same arguments runs.',
  );
}
