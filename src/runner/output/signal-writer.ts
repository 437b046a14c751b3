import { duration } from '../../lib/time/duration.ts';
import { clip } from '../../lib/text/clip.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';

/**
 * Writes signals one after the other: what comes in parts stays together, all else begins a line. What an agent says that would look as
 * calls do, and what came of them, is set one blank in: those alone stand where they stand.
 */
export class SignalWriter {
  readonly #now: () => number;
  /** The calls that are open, by their ids. */
  readonly #begun = new Map<string, Begun>();
  /** The call that was written last, with nothing behind it yet. */
  #last: string | undefined;
  #isMidLine = false;
  /** What stands right above is a call, or what came of one. */
  #isBelowCall = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  signal(signal: AgentSignal): string {
    const text = signal.is === 'tool-end' ? endText(signal, this.#endOf(signal)) : signalText(signal);
    if (signal.is === 'tool-start') this.#begin(signal);
    if (text === '') return '';
    this.#last = signal.is === 'tool-start' ? signal.id : undefined;
    const before = signal.is === 'text' && signal.isPart && !signal.isNewLine ? '' : this.endLine();
    const shown = signal.is === 'text' ? this.#apart(text) : text;
    this.#isMidLine = !text.endsWith('\n');
    this.#isBelowCall = signal.is !== 'text';
    return before + shown;
  }

  /** A line that is no signal, without its end. */
  line(line: string): string {
    this.#last = undefined;
    const before = this.endLine();
    const shown = this.#apart(line);
    this.#isBelowCall = false;
    return `${before}${shown}\n`;
  }

  /** The end of a line that is left open; `''` when there is none. */
  endLine(): string {
    if (!this.#isMidLine) return '';
    this.#isMidLine = false;
    return '\n';
  }

  /** Words that are none of ours, each of their lines as none of ours begins. */
  #apart(text: string): string {
    const isOurs = !this.#isMidLine && (OURS.test(text) || (this.#isBelowCall && text.startsWith(' ')));
    return `${isOurs ? ' ' : ''}${text.replaceAll(OURS_BELOW, '\n ')}`;
  }

  #begin({ id, tool, about }: Pick<Begun, 'tool' | 'about'> & { readonly id: string }): void {
    this.#begun.delete(id);
    const alike = [...this.#begun.values()].filter((each) => each.tool === tool);
    for (const each of alike) each.isOneOfSeveral = true;
    this.#begun.set(id, { tool, about, at: this.#now(), isOneOfSeveral: alike.length > 0 });
  }

  /**
   * How a call is spoken of where it ends: by its tool, where something else was written meanwhile, and by what it is about, where there
   * was another one of that; and how long it took.
   */
  #endOf({ id }: { readonly id: string }): End {
    const begun = this.#begun.get(id);
    this.#begun.delete(id);
    const tookMs = begun && this.#now() - begun.at;
    return {
      other: begun === undefined || this.#last === id ? undefined : nameOf(begun),
      took: tookMs === undefined || tookMs < LONG_MS ? '' : ` after ${duration(tookMs)}`,
    };
  }
}

/** So long takes a call of which is said how long, in ms. */
const LONG_MS = 5_000;

/** How a call begins, and what came of it that is of no call above. */
const OURS = /^[▸✗]/;
const OURS_BELOW = /\n(?=[▸✗])/g;
/** So much is said of what a call is about where it ends, in UTF-16 units. */
const MAX_ABOUT = 40;

type Begun = {
  readonly tool: string;
  readonly about: string;
  /** When, in ms. */
  readonly at: number;
  /** Another call of its tool was open at the same time. */
  isOneOfSeveral: boolean;
};

function nameOf({ tool, about, isOneOfSeveral }: Begun): string {
  return isOneOfSeveral && about !== '' ? `${tool} “${clip(about, MAX_ABOUT)}”` : tool;
}

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
