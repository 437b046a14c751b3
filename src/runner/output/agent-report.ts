import type { AgentErrorClass, AgentSignal } from '../agents/output/agent-signal.ts';

/** What an agent has said of itself so far, as far as it matters to whoever supervises it. */
export type AgentReport = {
  /** Ids of the tool calls that it has begun and not ended. */
  readonly openTools: readonly string[];
  readonly isTurnOver: boolean;
  /** How its connection to Clifford stands, as it sees it. */
  readonly mcp: { readonly status: 'connected' | 'pending' | 'failed'; readonly detail: string } | undefined;
  /** What it was told when it was refused more; `undefined` when it went on since. */
  readonly limit: { readonly message: string; readonly resetsAt: number | undefined } | undefined;
  /** The last error; `undefined` when it went on since. */
  readonly error: { readonly class: AgentErrorClass; readonly message: string } | undefined;
};

/** No agent has as many tools at work at once: of one that never ends a call not all are remembered. */
const MAX_OPEN_TOOLS = 100;

/** It has said nothing yet. */
export const silentReport: AgentReport = {
  openTools: [],
  isTurnOver: false,
  mcp: undefined,
  limit: undefined,
  error: undefined,
};

/** The report with one more signal. */
export function addSignal(report: AgentReport, signal: AgentSignal): AgentReport {
  switch (signal.is) {
    case 'text':
      return { ...report, ...atWork };
    case 'tool-start':
      return { ...report, ...atWork, openTools: [...report.openTools, signal.id].slice(-MAX_OPEN_TOOLS) };
    case 'tool-end':
      return { ...report, ...atWork, openTools: report.openTools.filter((id) => id !== signal.id) };
    case 'turn-over':
      return { ...report, isTurnOver: true, openTools: [] };
    case 'mcp':
      // It tries again: what went wrong is still all there is to say.
      if (signal.status === 'pending' && report.mcp?.status === 'failed') return report;
      return { ...report, mcp: { status: signal.status, detail: signal.detail ?? '' } };
    case 'limit':
      return { ...report, limit: { message: signal.message, resetsAt: signal.resetsAt } };
    case 'error':
      return { ...report, error: { class: signal.class, message: signal.message } };
    case 'session':
    case 'usage':
      return report;
  }
}

/** It has something to say or to do: whatever it was refused, it goes on. */
const atWork = { isTurnOver: false, limit: undefined, error: undefined } as const;

/** How the agent says its connection to Clifford stands: `MCP server clifford: failed (spawn ENOENT)`. */
export function mcpText({ mcp }: Pick<AgentReport, 'mcp'>): string {
  if (!mcp || mcp.status === 'connected') return '';
  // Some have one word for both.
  const says = mcp.detail === '' || mcp.detail === mcp.status ? '' : ` (${mcp.detail})`;
  return `MCP server clifford: ${mcp.status}${says}`;
}
