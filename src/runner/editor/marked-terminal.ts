import { RUN_ID_VARIABLE } from '../../workflow/project/who-calls.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { paramsOf, type AcpMessage } from './acp-message.ts';

/**
 * What an agent has its editor start (`terminal/create`), with the variable that marks what the agent starts itself: it
 * comes from the editor's own processes, and is no more a human than those of the agent.
 */
export function markedTerminal(message: AcpMessage, mark: string): AcpMessage {
  const params = paramsOf(message);
  const given: readonly unknown[] = Array.isArray(params['env']) ? params['env'] : [];
  const others = given.filter((each) => !isJsonObject(each) || each['name'] !== RUN_ID_VARIABLE);
  return { ...message, params: { ...params, env: [...others, { name: RUN_ID_VARIABLE, value: mark }] } };
}
