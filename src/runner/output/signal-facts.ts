import type { Candidate } from '../../machines/legality.ts';
import type { EventData } from '../../events/catalog.ts';
import { digestOf } from '../../lib/digest.ts';
import type { AgentSignal, OwnCall } from '../agents/output/agent-signal.ts';

/** Whose fact it is, and how a call of a tool of the agent's own is written down. */
export type FactPlace = {
  readonly runId: string;
  /** `stream/task`. */
  readonly subject: string;
  readonly ownCall: (id: string, call: OwnCall) => EventData<'tool.requested'>;
};

/** How the log names a call of an agent's own tool: agents number them anew in each session. */
export function callIdOf(runId: string, id: string): string {
  return digestOf([runId, id]);
}

/** The fact that a signal of an agent is for the log; `undefined`: it is none. */
export function factOf(signal: AgentSignal, { runId, subject, ownCall }: FactPlace): Candidate | undefined {
  switch (signal.is) {
    case 'session':
      return { type: 'agent.sessionopened', subject, data: { runId, sessionId: signal.sessionId } };
    case 'usage': {
      const { tokens, costUsd } = signal;
      return {
        type: 'agent.usage',
        subject,
        data: { runId, tokens, costUsd },
      };
    }
    case 'limit': {
      const { message, resetsAt } = signal;
      const until = resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt).toISOString() };
      return { type: 'agent.limited', subject, data: { runId, message, ...until } };
    }
    case 'tool-start':
      return signal.own && { type: 'tool.requested', subject, data: ownCall(signal.id, signal.own) };
    case 'tool-end': {
      const { id, own, isError } = signal;
      if (!own) return undefined;
      return { type: 'tool.returned', subject, data: { callId: callIdOf(runId, id), isError, ...own } };
    }
    default:
      return undefined;
  }
}
