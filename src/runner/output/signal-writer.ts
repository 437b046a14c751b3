import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { signalText } from './signal-text.ts';

/** Writes signals one after the other: what comes in parts stays together, all else begins a line. */
export class SignalWriter {
  #isMidLine = false;

  signal(signal: AgentSignal): string {
    const text = signalText(signal);
    if (text === '') return '';
    const before = signal.is === 'text' && signal.isPart ? '' : this.endLine();
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
