import { duration } from '../../lib/time/duration.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';

/** Writes signals one after the other: what comes in parts stays together, all else begins a line. */
export class SignalWriter {
  readonly #now: () => number;
  /** When the calls began that are open, by their ids. */
  readonly #begun = new Map<string, { readonly tool: string; readonly at: number }>();
  /** The call that was written last, with nothing behind it yet. */
  #last: string | undefined;
  #isMidLine = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  signal(signal: AgentSignal): string {
    const text = signal.is === 'tool-end' ? endText(signal, this.#endOf(signal)) : signalText(signal);
    if (signal.is === 'tool-start') this.#begun.set(signal.id, { tool: signal.tool, at: this.#now() });
    if (text === '') return '';
    this.#last = signal.is === 'tool-start' ? signal.id : undefined;
    const before = signal.is === 'text' && signal.isPart && !signal.isNewLine ? '' : this.endLine();
    this.#isMidLine = !text.endsWith('\n');
    return before + text;
  }

  /** A line that is no signal, without its end. */
  line(line: string): string {
    this.#last = undefined;
    return `${this.endLine()}${line}\n`;
  }

  /** The end of a line that is left open; `''` when there is none. */
  endLine(): string {
    if (!this.#isMidLine) return '';
    this.#isMidLine = false;
    return '\n';
  }

  /** How a call is spoken of where it ends: by its tool, where something else was written meanwhile; and how long it took. */
  #endOf({ id }: { readonly id: string }): End {
    const begun = this.#begun.get(id);
    this.#begun.delete(id);
    const tookMs = begun && this.#now() - begun.at;
    return {
      other: begun === undefined || this.#last === id ? undefined : begun.tool,
      took: tookMs === undefined || tookMs < LONG_MS ? '' : ` after ${duration(tookMs)}`,
    };
  }
}

/** So long takes a call of which is said how long, in ms. */
const LONG_MS = 5_000;

type End = {
  /** The tool of a call that is not the one right above. */
  readonly other: string | undefined;
  /** Of one that took long: how long. */
  readonly took: string;
};

/** What a human who watches an agent reads of a signal; `''` for what is only for Clifford. */
function signalText(signal: AgentSignal): string {
  switch (signal.is) {
    case 'text':
      return signal.isPart ? signal.text : `${signal.text.trimEnd()}\n`;
    case 'tool-start':
      return `▸ ${signal.tool}${signal.about === '' ? '' : ` ${signal.about}`}\n`;
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
function endText(
  { isError, why, fate, diff = [] }: AgentSignal & { readonly is: 'tool-end' },
  { other, took }: End,
): string {
  const it = other ?? 'it';
  const changes = isError ? '' : diff.map((line) => `  ${line}\n`).join('');
  if (fate !== undefined) return `  ${it} ${fate}\n${changes}`;
  if (isError) return `  ${it} failed${took}${why === undefined ? '' : `: ${why}`}\n`;
  if (other !== undefined && (took || changes)) return `  ${other} was done${took}\n${changes}`;
  return `${took && `  done${took}\n`}${changes}`;
}
