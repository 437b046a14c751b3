import type { AgentSignal } from '../agents/output/agent-signal.ts';

/** What a human who watches an agent reads of a signal; `''` for what is only for Clifford. */
export function signalText(signal: AgentSignal): string {
  switch (signal.is) {
    case 'text':
      return signal.isPart ? signal.text : `${signal.text.trimEnd()}\n`;
    case 'tool-start':
      return `▸ ${signal.tool}${signal.about === '' ? '' : ` ${signal.about}`}\n`;
    case 'tool-end':
      return signal.isError ? `  it failed${signal.why === undefined ? '' : `: ${signal.why}`}\n` : '';
    case 'error':
    case 'limit':
      return `✗ ${signal.message}\n`;
    case 'mcp':
      return signal.status === 'failed' ? `✗ MCP server clifford: ${signal.detail ?? 'failed'}\n` : '';
    default:
      return '';
  }
}
