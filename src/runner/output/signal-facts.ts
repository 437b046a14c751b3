import type { Candidate } from '../../machines/legality.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';

/** The fact that a signal of an agent is for the log; `undefined`: it is none. */
export function factOf(
  signal: AgentSignal,
  { runId, subject }: { readonly runId: string; readonly subject: string },
): Candidate | undefined {
  switch (signal.is) {
    case 'session':
      return { type: 'agent.sessionopened', subject, data: { runId, sessionId: signal.sessionId } };
    case 'usage': {
      const { tokens, costUsd } = signal;
      return {
        type: 'agent.usage',
        subject,
        data: { runId, tokens, ...(costUsd === undefined ? {} : { costUsd }) },
      };
    }
    case 'limit': {
      const { message, resetsAt } = signal;
      const until = resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt).toISOString() };
      return { type: 'agent.limited', subject, data: { runId, message, ...until } };
    }
    default:
      return undefined;
  }
}
