import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { deliveryOf } from '../../workflow/requests/deliver.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { assertMayAct, ownTask, type OwnTask } from '../../workflow/task/own-task.ts';
import type { Place, PreparedCall, Tool, ToolCall } from '../../gateway/call/tool.ts';
import { ToolRecord, type CallEnd } from './tool-record.ts';
import { errorResult } from '../../gateway/call/tool-result.ts';
import type { Departure } from '../transport/watched-transport.ts';

/** One call as it arrived. */
export type IncomingCall = Omit<ToolCall, 'delivers'> & {
  readonly tool: Omit<Tool, 'listing'>;
  readonly args: unknown;
  /** Arranges what follows the response. */
  readonly whenSent: (departure: Departure) => void;
  /** Notes an error that the agent gets as a result. */
  readonly failed: (error: unknown) => void;
};

/**
 * Runs one tool call and records it: the request before anything is decided, its end when the result
 * has left. Nothing durable stands between a tool's result and the agent.
 */
export async function callTool(incoming: IncomingCall): Promise<CallToolResult> {
  const { tool, args, whenSent, failed, ...parts } = incoming;
  const { project, agent, session, signal, background } = parts;
  const record = new ToolRecord({
    project,
    env: session.env,
    server: tool.origin?.server,
    tool: tool.origin?.tool ?? tool.name,
    args,
    runId: agent.runId,
  });
  const delivered: RequestState[] = [];
  const call: ToolCall = { ...parts, delivers: (requests) => void delivered.push(...requests) };

  let place: Place | undefined;
  let result: CallToolResult;
  let error: unknown;
  try {
    await project.refresh();
    const prepared = await tool.prepare(args, call);
    place = atOwnTask(prepared.place, ownTask(project.state, agent, session));
    result = await runRecorded(prepared, place, record, call);
  } catch (thrown) {
    // What is thrown on purpose is a result for the agent; anything else is a bug, and a result as well.
    error = thrown;
    result = errorResult(thrown);
  }
  const isBug = error !== undefined && !(error instanceof CliffordError);
  if (error !== undefined && !signal.aborted) failed(error);

  const end = isBug ? { error: messageOf(error) } : returned(result);
  const recordEnd = async (...ended: [CallEnd, Candidate[]?]) =>
    record.ended(place ?? { stream: await homeStream(project, agent, session) }, ...ended);
  whenSent({
    sent: () => {
      const deliveries = delivered.map((request) => deliveryOf(request, agent.id));
      background(recordEnd(end, deliveries));
    },
    dropped: (why) => {
      const lost = `the result did not reach the agent: ${session.endedBecause ?? messageOf(why)}`;
      background(recordEnd({ error: lost }));
    },
  });
  return result;
}

async function runRecorded(
  { verdict, asks = false, run }: PreparedCall,
  place: Place,
  record: ToolRecord,
  { project, agent, session }: ToolCall,
): Promise<CallToolResult> {
  const mayAct = () => assertMayAct(project.state, agent, session);
  if (!asks) await record.requested(place, verdict);
  mayAct();
  return run({
    callId: record.callId,
    decided: (later) => record.decided(place, later),
    asked: (ask) =>
      record.requestedWith(place, (request) =>
        ask(() => {
          mayAct();
          return request;
        }),
      ),
  });
}

/** A call that is about no task in particular belongs to the one its agent works on. */
function atOwnTask(place: Place, own: OwnTask | undefined): Place {
  if (place.taskId !== undefined || own?.sprint.id !== place.stream) return place;
  return { stream: place.stream, taskId: own.task.id };
}

function returned(result: CallToolResult): { isError: boolean; bytes: number } {
  return { isError: result.isError === true, bytes: Buffer.byteLength(JSON.stringify(result)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
