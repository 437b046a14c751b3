import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { AgentCall } from '../permission/agent-call.ts';

/** A call of an agent's own tool in the words of a reason: `execute npm test`. */
export function agentCallName({ kind, commands, paths }: AgentCall): string {
  const about = commands.at(0) ?? paths.at(0) ?? '';
  return cleanLine(about === '' ? kind : `${kind} ${about}`, 200);
}
