import {
  methods,
  PROTOCOL_VERSION,
  type ClientContext,
  type NewSessionRequest,
} from '@agentclientprotocol/sdk';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { version } from '../../version.ts';
import { canBeSteered } from './acp-notes.ts';
import type { AcpSpeech, Launch, LaunchOrder } from '../agents/agent-adapter.ts';

/** In which session an agent is to work: in a new one, or in the one that is named. */
export type SessionOrder = Pick<LaunchOrder, 'sessionId' | 'mcp' | 'projectRoot'> & {
  readonly speech: AcpSpeech;
} & Pick<Launch, 'sessionMeta'>;

/**
 * Opens a session, or goes on with one.
 *
 * @returns its id, and whether the agent takes a further word in the middle of a turn.
 * @throws {Error} when the agent speaks another version of the protocol, or cannot go on with a session.
 */
export async function openSession(
  agent: ClientContext,
  order: SessionOrder,
): Promise<{ readonly sessionId: string; readonly canSteer: boolean }> {
  const {
    agentCapabilities = {},
    protocolVersion,
    _meta,
  } = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'clifford', title: 'Clifford', version },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  if (protocolVersion !== PROTOCOL_VERSION)
    throw new Error(`it speaks version ${protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`);
  const { sessionId } = order;
  const canSteer = canBeSteered(_meta);
  const place = placeOf(order);
  if (sessionId === undefined) {
    const opened = await agent.request(methods.agent.session.new, place);
    return { sessionId: opened.sessionId, canSteer };
  }
  const canResume = isJsonObject(agentCapabilities.sessionCapabilities?.resume);
  if (!canResume && agentCapabilities.loadSession !== true) throw new Error('it cannot go on with a session');
  const old = { ...place, sessionId };
  if (canResume) await agent.request(methods.agent.session.resume, old);
  else await agent.request(methods.agent.session.load, old);
  return { sessionId, canSteer };
}

function placeOf({ projectRoot, mcp, speech, sessionMeta }: SessionOrder): NewSessionRequest {
  const env = Object.entries(mcp.env).map(([name, value]) => ({ name, value }));
  const server = { name: 'clifford', command: mcp.command, args: [...mcp.args], env };
  return {
    cwd: projectRoot,
    mcpServers: speech.takesMcp ? [server] : [],
    ...(sessionMeta === undefined ? {} : { _meta: sessionMeta }),
  };
}
