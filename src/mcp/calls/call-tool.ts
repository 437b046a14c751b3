import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { deliveryOf } from '../../workflow/requests/deliver.ts';
import { assertMayAct } from '../../workflow/task/own-task.ts';
import type { Callable, ToolCall } from '../../gateway/call/tool.ts';
import { CallNotes } from './call-notes.ts';
import { ToolRecord } from './tool-record.ts';
import { errorResult } from '../../gateway/call/tool-result.ts';
import type { Departure } from '../transport/watched-transport.ts';
import { messageOf } from '../../lib/message-of.ts';

/** One call as it arrived. */
export type IncomingCall = Omit<ToolCall, 'delivers' | 'takeNotes'> & {
  readonly tool: Callable;
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
  const delivered: RequestState[] = [];
  const notes = new CallNotes(parts);
  const call: ToolCall = {
    ...parts,
    delivers: (requests) => void delivered.push(...requests),
    takeNotes: notes.take,
  };
  const record = new ToolRecord(call, { tool, args });

  let result: CallToolResult;
  let error: unknown;
  try {
    await project.refresh();
    const { place, verdict, asks = false, run } = await tool.prepare(args, call);
    record.about(place);
    if (!asks) await record.requested(verdict);
    assertMayAct(project.state, agent, session);
    result = await run(record);
  } catch (thrown) {
    // What is thrown on purpose is a result for the agent; anything else is a bug, and a result as well.
    error = thrown;
    result = errorResult(thrown);
  }
  result = await notes.addTo(result);
  const isBug = error !== undefined && !(error instanceof CliffordError);
  if (error !== undefined && !signal.aborted) failed(error);

  const end = isBug ? { error: messageOf(error) } : returned(result);
  whenSent({
    sent: () => {
      const deliveries = delivered.map((request) => deliveryOf(request, agent.id));
      background(record.ended(end, deliveries));
      background(notes.delivered());
    },
    dropped: (why) => {
      const lost = `the result did not reach the agent: ${session.endedBecause ?? messageOf(why)}`;
      background(record.ended({ error: lost }));
      background(notes.returned(lost));
    },
  });
  return result;
}

function returned(result: CallToolResult): { isError: boolean; bytes: number } {
  return { isError: result.isError === true, bytes: Buffer.byteLength(JSON.stringify(result)) };
}
