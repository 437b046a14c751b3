import type { methods } from '@agentclientprotocol/sdk';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { jsonValue } from '../../lib/json/json-value.ts';

type AgentMethods = (typeof methods)['agent'];
type ClientMethods = (typeof methods)['client'];

/** The methods that are looked at, named here so that the SDK with its schemas is not loaded for them. */
export const INITIALIZE: AgentMethods['initialize'] = 'initialize';
/** See {@link INITIALIZE}. */
export const CANCEL: AgentMethods['session']['cancel'] = 'session/cancel';
/** See {@link INITIALIZE}. */
export const PROMPT: AgentMethods['session']['prompt'] = 'session/prompt';
/** See {@link INITIALIZE}. */
export const UPDATE: ClientMethods['session']['update'] = 'session/update';
/** See {@link INITIALIZE}. */
export const REQUEST_PERMISSION: ClientMethods['session']['requestPermission'] = 'session/request_permission';
/** See {@link INITIALIZE}. */
export const CREATE_TERMINAL: ClientMethods['terminal']['create'] = 'terminal/create';
/** See {@link INITIALIZE}. */
export const WRITE_FILE: ClientMethods['fs']['writeTextFile'] = 'fs/write_text_file';
/** See {@link INITIALIZE}. */
export const CANCEL_REQUEST: (typeof methods)['protocol']['cancelRequest'] = '$/cancel_request';

type OpensSession = AgentMethods['session']['new' | 'load' | 'resume'];
const OPENS_SESSION: readonly (OpensSession | 'session/fork')[] = [
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
];

/** Whether a request with this method opens a session in the folder that its parameters name. */
export function opensSession(method: unknown): boolean {
  return OPENS_SESSION.some((each) => each === method);
}

/** The codes of JSON-RPC and of the protocol that are answered with. */
export const errorCode = { invalidRequest: -32_600, invalidParams: -32_602, cancelled: -32_800 } as const;

/** A message of JSON-RPC, as far as anything is known of it. */
export type AcpMessage = Readonly<Record<string, unknown>>;

/**
 * A line without the messages that `takes` takes: the same, what is left of a batch, or nothing. What is no JSON-RPC is
 * nobody's business here.
 */
export function without(line: Buffer, takes: (message: AcpMessage) => boolean): Buffer | undefined {
  // Who reads it at the other end also takes away what JSON does not know as white space.
  const value = jsonValue(line.toString('utf8').trim());
  if (isJsonObject(value)) return takes(value) ? undefined : line;
  if (!Array.isArray(value)) return line;
  const left: readonly unknown[] = value.filter((each) => !(isJsonObject(each) && takes(each)));
  if (left.length === value.length) return line;
  return left.length === 0 ? undefined : Buffer.from(JSON.stringify(left));
}

/** An answer to a request. */
export type AcpAnswer = { readonly id: unknown; readonly result?: unknown; readonly error?: unknown };

/** The parameters of a message, none where it has none. */
export function paramsOf({ params }: AcpMessage): AcpMessage {
  return isJsonObject(params) ? params : {};
}

/** An id as a key: `1` and `"1"` are two. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

/** A message as it goes over the wire. */
export function wireText(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}
