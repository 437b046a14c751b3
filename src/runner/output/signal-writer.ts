import { duration } from '../../lib/time/duration.ts';
import { clipLine } from '../../lib/text/clip.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import type { OutputChannel } from '../../lib/processes/start-group.ts';
import { LineGuard } from './line-guard.ts';

type WriterParts = {
  readonly now?: () => number;
  /** What else is seen of the agent goes through the same one. */
  readonly lines?: LineGuard;
};

/** Writes signals one after the other: what comes in parts stays together, all else begins a line. */
export class SignalWriter {
  readonly #now: () => number;
  readonly #lines: LineGuard;
  /** The calls that are open, by their ids, the oldest first. */
  readonly #begun = new Map<string, Begun>();
  /** Of each tool with open calls: how many, and the one that began last. */
  readonly #tools = new Map<string, { readonly open: number; readonly last: Begun }>();
  /** The call that was written last, with nothing behind it yet. */
  #last: string | undefined;

  constructor({ now = () => performance.now(), lines = new LineGuard() }: WriterParts = {}) {
    this.#now = now;
    this.#lines = lines;
  }

  signal(signal: AgentSignal): string {
    const text = signal.is === 'tool-end' ? endText(signal, this.#endOf(signal)) : signalText(signal);
    if (signal.is === 'tool-start') this.#begin(signal);
    if (text === '') return '';
    this.#last = signal.is === 'tool-start' ? signal.id : undefined;
    if (signal.is !== 'text') return this.#lines.ours(text);
    const before = signal.isPart && !signal.isNewLine ? '' : this.#lines.endLine();
    return before + this.#lines.foreign(text, 'stdout');
  }

  /** A line that is no signal, without its end. */
  line(line: string): string {
    return this.#lines.endLine() + this.foreign(`${line}\n`, 'stdout');
  }

  /** Words that stand among those of the agent, where they come. */
  foreign(text: string, channel: OutputChannel): string {
    if (text !== '') this.#last = undefined;
    return this.#lines.foreign(text, channel);
  }

  #begin({ id, tool, about }: Pick<Begun, 'tool' | 'about'> & { readonly id: string }): void {
    this.#take(id);
    const { open } = this.#tools.get(tool) ?? { open: 0 };
    const begun = { tool, about, at: this.#now(), isBesides: open > 0 };
    this.#begun.set(id, begun);
    this.#tools.set(tool, { open: open + 1, last: begun });
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > MAX_OPEN && oldest !== undefined) this.#take(oldest);
  }

  /** A call that is open no more. */
  #take(id: string): Ended | undefined {
    const begun = this.#begun.get(id);
    const alike = begun && this.#tools.get(begun.tool);
    if (!alike) return undefined;
    this.#begun.delete(id);
    if (alike.open === 1) this.#tools.delete(begun.tool);
    else this.#tools.set(begun.tool, { ...alike, open: alike.open - 1 });
    return { ...begun, isOneOfSeveral: begun.isBesides || alike.last !== begun };
  }

  /**
   * How a call is spoken of where it ends: by its tool, where something else was written meanwhile, and by what it is about, where there
   * was another one of that; and how long it took.
   */
  #endOf({ id }: { readonly id: string }): End {
    const begun = this.#take(id);
    const tookMs = begun && this.#now() - begun.at;
    const isRightAbove = this.#last === id || (begun === undefined && this.#last === undefined);
    return {
      other: isRightAbove ? undefined : nameOf(begun),
      took: tookMs === undefined || tookMs < LONG_MS ? '' : ` after ${duration(tookMs)}`,
    };
  }
}

/** So long takes a call of which is said how long, in ms. */
const LONG_MS = 5_000;

/** So many calls are known that are open. */
const MAX_OPEN = 1_000;
/** So much is said of what a call is about where it ends, and of its tool there, in UTF-16 units. */
const MAX_ABOUT = 40;
const MAX_TOOL = 40;
/** The same of both where it begins. */
const MAX_SHOWN = 200;

type Begun = {
  readonly tool: string;
  readonly about: string;
  /** When, in ms. */
  readonly at: number;
  /** Another call of its tool was open when it began. */
  readonly isBesides: boolean;
};

/** One that is open no more. */
type Ended = Begun & {
  /** Another call of its tool was open at the same time. */
  readonly isOneOfSeveral: boolean;
};

function nameOf(ended: Ended | undefined): string {
  if (!ended) return 'an earlier call';
  const { tool, about, isOneOfSeveral } = ended;
  const name = clipLine(tool, MAX_TOOL);
  return isOneOfSeveral && about !== '' ? `${name} “${clipLine(about, MAX_ABOUT)}”` : name;
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
      return `▸ ${clipLine(`${signal.tool} ${signal.about}`, MAX_SHOWN)}\n`;
    case 'error':
    case 'limit':
      return ownLine(`✗ ${signal.message}`);
    case 'mcp':
      return signal.status === 'failed' ? ownLine(`✗ MCP server clifford: ${signal.detail ?? 'failed'}`) : '';
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
  const changes = isError ? '' : diff.map((line) => ownLine(`  ${line}`)).join('');
  if (fate !== undefined) return ownLine(`  ${it} ${fate}`) + changes;
  if (isError) return ownLine(`  ${it} failed${took}${why === undefined ? '' : `: ${why}`}`);
  if (other !== undefined && (took || changes)) return ownLine(`  ${other} was done${took}`) + changes;
  return `${took && `  done${took}\n`}${changes}`;
}

/** A line of ours. Words of others in it may have several: no further one begins as ours do. */
function ownLine(line: string): string {
  return `${line.replaceAll(/\r\n?|\n/g, '\n   ')}\n`;
}
