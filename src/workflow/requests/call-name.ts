import { agentOfServer } from '../../events/agent-server.ts';
import type { Approval } from '../../events/approval.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';

/**
 * A call as it is named within a sentence of ours: `fs write_file`, or `execute by opencode` where the tool is an agent's
 * own. Its server chooses the name, and is not to put lines of its own, or sequences for a terminal, into what we say.
 */
export function callName({
  server = '',
  tool = '',
}: Partial<Pick<Approval, 'server' | 'tool'>> = {}): string {
  const agent = agentOfServer(server);
  return cleanLine(agent === undefined ? `${server} ${tool}` : `${tool} by ${agent}`);
}
