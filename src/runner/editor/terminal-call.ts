import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/run-id-variable.ts';
import { paramsOf, type AcpMessage } from './acp-message.ts';
import type { PermissionParams } from './prompt-options.ts';

const variableSchema = z.looseObject({ name: z.string(), value: z.string() });
const terminalSchema = z.looseObject({
  sessionId: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  cwd: z.string().nullish(),
  env: z.array(variableSchema).nullish(),
});
type Terminal = z.infer<typeof terminalSchema>;

const START: PermissionParams['options'] = [
  { optionId: 'start', name: 'Start it', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/**
 * What an agent would have its editor start (`terminal/create`), as a call of its own that it asks permission for.
 * `undefined`: it is not said as the protocol has it.
 */
export function terminalCall({ params }: AcpMessage): PermissionParams | undefined {
  const { data } = terminalSchema.safeParse(params);
  if (!data) return undefined;
  const { sessionId, cwd } = data;
  const line = lineOf(data);
  const rawInput = { command: line, ...(cwd ? { cwd } : {}) };
  // No id that the agent could say more of, before it asks or while somebody is asked.
  const toolCallId = `terminal-${randomUUID()}`;
  const toolCall = { toolCallId, kind: 'execute', title: line, rawInput } as const;
  return { sessionId, toolCall, options: START };
}

/** The command line: with arguments it is one command, without it is what a shell reads. Variables decide over what is run. */
function lineOf({ command, args, env }: Terminal): string {
  const line = args?.length ? [command, ...args].map(shellWord).join(' ') : command;
  const variables = (env ?? []).filter(({ name }) => name !== RUN_ID_VARIABLE);
  if (variables.length === 0) return line;
  const isOne = Boolean(args?.length) || shellWord(command) === command;
  const set = variables.map(({ name, value }) => shellWord(`${name}=${value}`)).join(' ');
  return `env ${set} ${isOne ? line : `sh -c ${shellWord(line)}`}`;
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
