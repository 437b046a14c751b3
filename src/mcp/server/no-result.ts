import { ErrorCode, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import { errorText } from '../../gateway/call/tool-result.ts';

/** MCP's own number for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

/** An error as the client gets it. The SDK's own puts its code in front of the message, and so do clients. */
export class NoResult extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }

  /** Of what went wrong with a request that has no result to say so. */
  static of(error: unknown): NoResult {
    if (error instanceof NoResult) return error;
    return new NoResult(codeFor(error), errorText(error));
  }
}

/** @throws {NoResult} what a tool would have said as its result. */
export function resultOf(result: CallToolResult): CallToolResult {
  if (result.isError !== true) return result;
  const [first] = result.content;
  throw new NoResult(ErrorCode.InvalidRequest, first?.type === 'text' ? first.text : 'it failed');
}

function codeFor(error: unknown): number {
  if (!(error instanceof CliffordError)) return ErrorCode.InternalError;
  return error.code === 'RESOURCE_UNKNOWN' ? RESOURCE_NOT_FOUND : ErrorCode.InvalidRequest;
}
