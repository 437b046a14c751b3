import { z } from 'zod';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/who-calls.ts';
import { keyOf, paramsOf, type AcpMessage } from './acp-message.ts';
import type { PermissionParams } from './prompt-options.ts';

const terminalSchema = z.looseObject({
  sessionId: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  cwd: z.string().nullish(),
});

/** What such a request is answered with that is asked about as a call. */
export const START: PermissionParams['options'][number] = {
  optionId: 'start',
  name: 'Start it',
  kind: 'allow_once',
};
const KEEP: PermissionParams['options'][number] = { optionId: 'no', name: 'No', kind: 'reject_once' };

/**
 * What an agent would have its editor start (`terminal/create`), as a call of its own that it asks permission for.
 * `undefined`: it says no command.
 */
export function terminalCall({ id, params }: AcpMessage): PermissionParams | undefined {
  const { data } = terminalSchema.safeParse(params);
  if (!data) return undefined;
  const { sessionId, command, args, cwd } = data;
  const line = args?.length ? [command, ...args].map(shellWord).join(' ') : command;
  const rawInput = { command: line, ...(cwd ? { cwd } : {}) };
  const toolCall = { toolCallId: `terminal-${keyOf(id)}`, kind: 'execute', title: line, rawInput } as const;
  return { sessionId, toolCall, options: [START, KEEP] };
}

/**
 * The same with the variable that marks what the agent starts itself: it comes from the editor's own processes, and is
 * no more a human than those of the agent.
 */
export function markedTerminal(message: AcpMessage, mark: string): AcpMessage {
  const params = paramsOf(message);
  const given: readonly unknown[] = Array.isArray(params['env']) ? params['env'] : [];
  const others = given.filter((each) => !isJsonObject(each) || each['name'] !== RUN_ID_VARIABLE);
  return { ...message, params: { ...params, env: [...others, { name: RUN_ID_VARIABLE, value: mark }] } };
}
