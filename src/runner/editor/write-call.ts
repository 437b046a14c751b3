import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { paramsOf, type AcpMessage } from './acp-message.ts';
import type { PermissionParams } from './prompt-options.ts';

const writeSchema = z.looseObject({ sessionId: z.string(), path: z.string().min(1), content: z.string() });

const WRITE: PermissionParams['options'] = [
  { optionId: 'write', name: 'Write it', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/**
 * A file that an agent would have its editor write (`fs/write_text_file`), as a call of its own that it asks permission
 * for. `undefined`: it is not said as the protocol has it.
 */
export function writeCall(message: AcpMessage): PermissionParams | undefined {
  const { data } = writeSchema.safeParse(paramsOf(message));
  if (!data) return undefined;
  const { sessionId, path, content } = data;
  const toolCallId = `write-${randomUUID()}`;
  const toolCall = { toolCallId, kind: 'edit', title: `Write ${path}`, rawInput: { path, content } } as const;
  return { sessionId, toolCall, options: WRITE };
}
