import { RequestError } from '@agentclientprotocol/sdk';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { delayIn } from '../agents/output/delay-text.ts';
import { errorClassOf } from '../agents/output/error-class.ts';
import type { AgentErrorClass, AgentSignal } from '../agents/output/agent-signal.ts';

/** The protocol's code of an agent that nobody has logged in. */
const AUTH_REQUIRED = -32_000;

/** What agents say that end their turn since their provider gives them no more. */
const LIMITED =
  /\bquota|usage[ _-]?limit|rate[ _-]?limit|too many requests|\b429\b|RESOURCE_EXHAUSTED|credit balance|out of (?:credits|usage)|spend(?:ing)? limit/i;

/** What an error means that an agent answered with, or that kept it from answering. */
export function errorSignal(error: unknown, now = Date.now()): AgentSignal {
  const { message } = error instanceof Error ? error : { message: String(error) };
  // Many agents put their own message into `data`.
  const details = error instanceof RequestError ? detailsOf(error.data) : '';
  const text = details === '' ? message : `${message}: ${details}`;
  if (LIMITED.test(text)) {
    const delay = delayIn(text);
    return { is: 'limit', message: text, ...(delay === undefined ? {} : { resetsAt: now + delay }) };
  }
  return { is: 'error', class: classOf(error, text), message: text };
}

function classOf(error: unknown, text: string): AgentErrorClass {
  return error instanceof RequestError && error.code === AUTH_REQUIRED ? 'auth' : errorClassOf(text);
}

function detailsOf(data: unknown): string {
  if (typeof data === 'string') return data;
  if (!isJsonObject(data)) return '';
  const { message, details } = data;
  return [message, details].filter((each) => typeof each === 'string').join(': ');
}

/** What went wrong in a turn that ended for this reason; `undefined`: nothing. */
export function endProblem(stopReason: string): AgentSignal | undefined {
  if (stopReason === 'end_turn') return undefined;
  return { is: 'error', class: 'model', message: problems.get(stopReason) ?? 'its turn was broken off' };
}

const problems = new Map([
  ['max_tokens', 'its turn used up the tokens it may have'],
  ['max_turn_requests', 'its turn used up the requests to the model it may make'],
  ['refusal', 'its model refuses to go on'],
]);
