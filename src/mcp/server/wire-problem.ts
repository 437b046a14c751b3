import { z } from 'zod';
import { shortLine } from '../../gateway/transport/short-line.ts';

/** What is wrong with what a client has sent, in one line. What it has sent is not repeated: it may be long, and an answer of a human. */
export function wireProblem(error: Error): string {
  if (error instanceof z.ZodError) return 'The client has sent what is no message of MCP: it is passed over';
  return shortLine(error.message.replace(/: \{.*$/s, ''));
}
