import { cleanLine } from '../../lib/text/hidden-characters.ts';

/**
 * A tool as it is named within a sentence of ours: `fs write_file`. Its server chooses the name, and is not to put
 * lines of its own, or sequences for a terminal, into what we say.
 */
export function callName(server = '', tool = ''): string {
  return cleanLine(`${server} ${tool}`);
}
