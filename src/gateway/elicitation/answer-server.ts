import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { textForModel } from '../tools/text-for-model.ts';
import type { AnswerServer } from '../server/mcp-manager.ts';
import type { RawObject } from '../server/manager-event.ts';
import { askHumanForServer } from './ask-human-for-server.ts';
import { offersForms, type AskableClient } from './askable-client.ts';
import type { CallsAtWork } from '../call/running-calls.ts';

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

function offers(capabilities: RawObject, method: string, { mode }: RawObject): boolean {
  const { sampling, elicitation } = capabilities;
  if (method === 'sampling/createMessage') return sampling !== undefined;
  if (mode !== 'url') return offersForms(capabilities);
  return typeof elicitation === 'object' && elicitation !== null && 'url' in elicitation;
}

/** Who reads a message has to know whose it is. What was meant for us stays here. */
function named(serverId: string, { _meta: _ours, message, ...rest }: RawObject): RawObject {
  if (typeof message !== 'string') return rest;
  return { ...rest, message: `${serverId}: ${textForModel(message, MAX_MESSAGE_LENGTH)}` };
}
