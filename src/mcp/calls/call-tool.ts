import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { assertMayAct, ownTask, type OwnTask } from '../../workflow/task/own-task.ts';
import type { SendProgress } from '../../gateway/wait/keep-alive.ts';
import type { Session } from '../../gateway/call/session.ts';
import type { Place, PreparedCall, Tool, ToolCall } from '../../gateway/call/tool.ts';
import { ToolRecord } from './tool-record.ts';
import { errorResult } from '../../gateway/call/tool-result.ts';
import type { Departure } from '../transport/watched-transport.ts';

/** One call as it arrived. */
export type IncomingCall = {
  readonly tool: Omit<Tool, 'listing'>;
  readonly args: unknown;
  readonly project: Project;
  readonly agent: Agent;
  readonly session: Session;
  readonly signal: AbortSignal;
  /** When it came, in ms of `performance.now()`. */
  readonly arrivedAt: number;
  readonly progress: SendProgress | undefined;
  /** Arranges what follows the response. */
  readonly whenSent: (departure: Departure) => void;
  /** Notes an error that the agent gets as a result. */
  readonly failed: (error: unknown) => void;
  /** Keeps the server open until this is done, and reports it when it fails. */
  readonly background: (work: Promise<unknown>) => void;
};

/**
 * Runs one tool call and records it: the request before anything is decided, its end when the result
 * has left. Nothing durable stands between a tool's result and the agent.
 */
export async function callTool(incoming: IncomingCall): Promise<CallToolResult> {
  const { project, tool, args, agent, session, signal, arrivedAt, progress, background } = incoming;
  const record = new ToolRecord({
    project,
    env: session.env,
    server: tool.origin?.server,
    tool: tool.origin?.tool ?? tool.name,
    args,
    runId: agent.runId,
  });
  const afterFlush: (() => Promise<unknown>)[] = [];
  const call: ToolCall = {
    project,
    agent,
    session,
    signal,
    arrivedAt,
    progress,
    background,
    afterFlush: (work) => {
      afterFlush.push(work);
    },
  };

  const { result, error } = await outcomeOf(async () => {
    await project.refresh();
    const prepared = await tool.prepare(args, call);
    return runRecorded(prepared, record, call);
  });
  const isBug = error !== undefined && !(error instanceof CliffordError);
  if (error !== undefined && !signal.aborted) incoming.failed(error);

  const elsewhere = async (): Promise<Place> => ({ stream: await homeStream(project, agent, session) });
  const end = isBug ? { error: messageOf(error) } : returned(result);
  incoming.whenSent({
    sent: () => {
      const work = [...afterFlush.map((after) => after()), record.ended(end, elsewhere)];
      background(Promise.all(work));
    },
    dropped: (why) => {
      const lost = `the result did not reach the agent: ${session.endedBecause ?? messageOf(why)}`;
      background(record.ended({ error: lost }, elsewhere));
    },
  });
  return result;
}

async function runRecorded(
  { place, verdict, run }: PreparedCall,
  record: ToolRecord,
  { project, agent, session }: ToolCall,
): Promise<CallToolResult> {
  await record.requested(atOwnTask(place, ownTask(project.state, agent, session)), verdict);
  assertMayAct(project.state, agent, session);
  return run({ callId: record.callId, decided: (later) => record.decided(later) });
}

/** A call that is about no task in particular belongs to the one its agent works on. */
function atOwnTask(place: Place, own: OwnTask | undefined): Place {
  if (place.taskId !== undefined || own?.sprint.id !== place.stream) return place;
  return { stream: place.stream, taskId: own.task.id };
}

/** What is thrown on purpose is a result for the agent; anything else is a bug, and a result as well. */
async function outcomeOf(
  work: () => Promise<CallToolResult>,
): Promise<{ result: CallToolResult; error?: unknown }> {
  try {
    return { result: await work() };
  } catch (error) {
    return { result: errorResult(error), error };
  }
}

function returned(result: CallToolResult): { isError: boolean; bytes: number } {
  return { isError: result.isError === true, bytes: Buffer.byteLength(JSON.stringify(result)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
