import { cleanLine } from '../../lib/text/hidden-characters.ts';

/**
 * A tool as it is named within a sentence of ours: `fs write_file`, or `execute by opencode` where it is an agent's own. Its server chooses the name, and is not to put
 * lines of its own, or sequences for a terminal, into what we say.
 */
export function callName(server = '', tool = ''): string {
  return cleanLine(server.startsWith('@') ? `${tool} by ${server.slice(1)}` : `${server} ${tool}`);
}
