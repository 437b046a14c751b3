import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { cleanText } from '../policy/hidden-characters.ts';
import type { AnswerServer } from '../server/mcp-manager.ts';
import type { RawObject } from '../server/manager-event.ts';
import { askHumanForServer } from './ask-human-for-server.ts';
import type { CallsAtWork } from '../call/running-calls.ts';

/** The agent's client, as far as servers may ask it something. */
export type AskableClient = {
  /** What it said it can do, in `initialize`. */
  readonly capabilities: () => RawObject;
  /** Sends it a request. Rejects with the abort reason, or with the error the client answers. */
  readonly request: (method: string, params: RawObject, signal: AbortSignal) => Promise<RawObject>;
};

/** Longest message of a server to a person, in UTF-16 units. */
const MAX_MESSAGE_LENGTH = 4_096;

/**
 * Answers what servers ask: through the agent's client if it offers that, else through the human. Only while the
 * server works on a call: whatever it asks is about that call, and nobody has allowed it more.
 */
export function answerServer(client: AskableClient, atWork: CallsAtWork): AnswerServer {
  return async (serverId, method, params, signal) => {
    const work = atWork.latest(serverId);
    if (!work) throw new McpError(ErrorCode.InvalidRequest, `Clifford forwards ${method} only during a call`);
    const both = AbortSignal.any([signal, work.call.signal]);
    const asked = named(serverId, params);
    if (offers(client.capabilities(), method, params)) return client.request(method, asked, both);
    return askHumanForServer({ serverId, method, params: asked, work, signal: both });
  };
}

function offers({ sampling, elicitation }: RawObject, method: string, { mode }: RawObject): boolean {
  if (method === 'sampling/createMessage') return sampling !== undefined;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  // One that names no mode means forms.
  if (mode === 'url') return 'url' in elicitation;
  return 'form' in elicitation || Object.keys(elicitation).length === 0;
}

/** Who reads a message has to know whose it is. What was meant for us stays here. */
function named(serverId: string, { _meta: _ours, message, ...rest }: RawObject): RawObject {
  if (typeof message !== 'string') return rest;
  return { ...rest, message: `${serverId}: ${cleanText(message, MAX_MESSAGE_LENGTH)}` };
}
