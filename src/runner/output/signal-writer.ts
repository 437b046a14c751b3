import type { AgentSignal } from '../agents/output/agent-signal.ts';

/** Writes signals one after the other: what comes in parts stays together, all else begins a line. */
export class SignalWriter {
  #isMidLine = false;

  signal(signal: AgentSignal): string {
    const text = signalText(signal);
    if (text === '') return '';
    const before = signal.is === 'text' && signal.isPart && !signal.isNewLine ? '' : this.endLine();
    this.#isMidLine = !text.endsWith('\n');
    return before + text;
  }

  /** A line that is no signal, without its end. */
  line(line: string): string {
    return `${this.endLine()}${line}\n`;
  }

  /** The end of a line that is left open; `''` when there is none. */
  endLine(): string {
    if (!this.#isMidLine) return '';
    this.#isMidLine = false;
    return '\n';
  }
}

/** What a human who watches an agent reads of a signal; `''` for what is only for Clifford. */
function signalText(signal: AgentSignal): string {
  switch (signal.is) {
    case 'text':
      return signal.isPart ? signal.text : `${signal.text.trimEnd()}\n`;
    case 'tool-start':
      return `▸ ${signal.tool}${signal.about === '' ? '' : ` ${signal.about}`}\n`;
    case 'tool-end':
      return endText(signal);
    case 'error':
    case 'limit':
      return `✗ ${signal.message}\n`;
    case 'mcp':
      return signal.status === 'failed' ? `✗ MCP server clifford: ${signal.detail ?? 'failed'}\n` : '';
    default:
      return '';
  }
}

/** Of a call that was decided about otherwise than it was asked for, what was decided says more than how it ended. */
function endText({ isError, why, fate, diff = [] }: AgentSignal & { readonly is: 'tool-end' }): string {
  const decided = fate === undefined ? '' : `  it ${fate}\n`;
  if (isError && decided === '') return `  it failed${why === undefined ? '' : `: ${why}`}\n`;
  return isError ? decided : decided + diff.map((line) => `  ${line}\n`).join('');
}
