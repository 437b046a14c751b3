import { z } from 'zod';
import { isJsonObject } from '../../lib/json/json-object.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import type { AcpCalls } from './acp-calls.ts';
import { acpCallSchema } from './acp-call.ts';
import { saidAfter } from './said.ts';

const textSchema = z.looseObject({
  content: z.looseObject({ text: z.string() }),
  messageId: z.string().nullish(),
});
const costSchema = z.looseObject({ amount: z.number(), currency: z.string() });
const usageSchema = z.looseObject({ cost: costSchema.nullish() });
const planSchema = z.looseObject({
  entries: z.array(z.looseObject({ content: z.string(), status: z.string() })),
});

/**
 * Reads what an agent tells of its turn, `session/update` of the Agent Client Protocol (stable v1), as signals. One per
 * session: it remembers calls and where a text stopped.
 */
export class SessionUpdates {
  readonly #calls: AcpCalls;
  /** What goes on: a message of this id, where it has one. */
  #last: { readonly kind: 'message' | 'thought'; readonly messageId: string | undefined } | undefined;
  #said = '';
  /** What the session has cost so far; `undefined`: it is an older one, and has not said. */
  #costUsd: number | undefined;

  /** `isNew`: the session begins here. */
  constructor(calls: AcpCalls, { isNew }: { readonly isNew: boolean }) {
    this.#calls = calls;
    this.#costUsd = isNew ? 0 : undefined;
  }

  /** What the agent has said in this turn: the last of it. */
  get said(): string {
    return this.#said.trim();
  }

  /** A turn begins. */
  beginTurn(): void {
    this.#said = '';
  }

  /** Takes note of what an older session has cost before it is gone on with. */
  noteBefore(update: unknown): void {
    const costUsd = costOf(update);
    if (costUsd !== undefined) this.#costUsd = costUsd;
  }

  /** What an update says; nothing of one that is not understood. */
  read(update: unknown): readonly AgentSignal[] {
    if (!isJsonObject(update)) return [];
    const kind = update['sessionUpdate'];
    switch (kind) {
      case 'agent_message_chunk':
        return this.#text('message', update);
      case 'agent_thought_chunk':
        return this.#text('thought', update);
      case 'tool_call':
      case 'tool_call_update': {
        this.#last = undefined;
        const call = acpCallSchema.safeParse(update);
        return call.success ? this.#calls.take(call.data) : [];
      }
      case 'plan':
        return this.#plan(update);
      case 'usage_update':
        return this.#cost(update);
      default:
        return [];
    }
  }

  #text(kind: 'message' | 'thought', update: object): readonly AgentSignal[] {
    const read = textSchema.safeParse(update);
    if (!read.success || read.data.content.text === '') return [];
    const messageId = read.data.messageId ?? undefined;
    const isNew = this.#last?.kind !== kind || this.#last.messageId !== messageId;
    this.#last = { kind, messageId };
    const { text } = read.data.content;
    if (kind === 'message') this.#said = saidAfter(this.#said, `${isNew ? '\n' : ''}${text}`);
    if (!isNew) return [{ is: 'text', text, isPart: true }];
    return [{ is: 'text', text: kind === 'thought' ? `∙ ${text}` : text, isPart: true, isNewLine: true }];
  }

  #plan(update: object): readonly AgentSignal[] {
    const read = planSchema.safeParse(update);
    if (!read.success) return [];
    this.#last = undefined;
    const lines = read.data.entries.map(({ content, status }) => `${planMark(status)} ${content}`);
    return lines.length === 0 ? [] : [{ is: 'text', text: lines.join('\n') }];
  }

  /** What the whole session has cost by now: told as often as its agent likes, by OpenCode once for each turn. */
  #cost(update: object): readonly AgentSignal[] {
    const costUsd = costOf(update);
    if (costUsd === undefined || costUsd <= (this.#costUsd ?? -1)) return [];
    // Of what it cost before earlier attempts have told.
    const since = costUsd - (this.#costUsd ?? costUsd);
    this.#costUsd = costUsd;
    return since === 0 ? [] : [{ is: 'usage', tokens: { input: 0, output: 0 }, costUsd: since }];
  }
}

/** In USD; `undefined`: it does not say. */
function costOf(update: unknown): number | undefined {
  if (!isJsonObject(update) || update['sessionUpdate'] !== 'usage_update') return undefined;
  const { cost } = usageSchema.safeParse(update).data ?? {};
  return cost?.currency.toUpperCase() === 'USD' ? cost.amount : undefined;
}

function planMark(status: string): string {
  return status === 'completed' ? '[x]' : status === 'in_progress' ? '[>]' : '[ ]';
}
